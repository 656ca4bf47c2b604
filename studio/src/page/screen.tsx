import { useEffect, useRef, useState } from "preact/hooks";
import type { Page } from "../api/types.ts";
import { client } from "../session.ts";
import { t } from "../words.ts";

/** The screen on which one page is written. */
export function PageScreen({ id }: { id: string }) {
  const [page, setPage] = useState<Page>();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => void client.call<Page>(`/pages/${id}`).then((a) => setPage(a.data)), [id]);
  useEffect(() => {
    if (!page || !place.current) return;
    let view: { destroy(): void } | undefined;
    let gone = false;
    void import("../editor/editor.ts").then((m) => {
      if (!gone) view = m.openEditor(place.current!, { text: page.content, label: t("content"), format: "markdown", onChange: () => {} });
    });
    return () => {
      gone = true;
      view?.destroy();
    };
  }, [page]);
  if (!page) return <p class="loading">{t("loading")}</p>;
  return (
    <>
      <h1>{page.title}</h1>
      <div ref={place} />
    </>
  );
}
