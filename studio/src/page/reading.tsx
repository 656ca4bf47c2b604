import { useEffect, useRef, useState } from "preact/hooks";
import type { Page, Rendered } from "../api/types.ts";
import { Frame, inTab } from "../preview/frame.ts";
import { addressOf, go, screenAt } from "../router.ts";
import { client, place } from "../session.ts";
import { Icon } from "../ui/icon.tsx";
import { Failed } from "../ui/problem.tsx";
import { t } from "../words.ts";

/** A page for those who may read it and not write. */
export function Reading({ id }: { id: string }) {
  const [shown, setShown] = useState<{ page: Page; rendered: Rendered }>();
  const [fault, setFault] = useState<unknown>();
  const [asked, setAsked] = useState(0);
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const end = new AbortController();
    const read = async () => {
      const page = (await client.call<Page>(`/pages/${id}`, { signal: end.signal })).data;
      const rendered = (await client.call<Rendered>("/render", { method: "POST", body: { content: page.content, pageId: id }, signal: end.signal })).data;
      setShown({ page, rendered });
      setFault(undefined);
    };
    read().catch((e: unknown) => end.signal.aborted || setFault(e));
    return () => end.abort();
  }, [id, asked]);
  useEffect(() => {
    if (!shown) return;
    const frame = new Frame(shown.page.title);
    host.current!.append(frame.element);
    frame.leads = (url) => (url.startsWith("/") ? go(screenAt(url, "")) : inTab(url)); // other pages are shown here
    frame.show({ ...shown.rendered, lines: shown.page.content.split("\n").length, title: "" });
    return () => frame.close();
  }, [shown]);
  if (fault !== undefined) return <Failed title={t("faultTitle")} problem={fault} retry={() => setAsked(asked + 1)} />;
  if (!shown) return <p class="loading">{t("loading")}</p>;
  const { page } = shown;
  return (
    <div class="page-reading">
      <h1 dir="auto">{page.title}</h1>
      <p class="row">
        <a class="button plain" href={addressOf({ name: "history", id })}>
          <Icon name="history" /> {t("history")}
        </a>
        {place.site && page.status === "published" && (
          <a class="button plain" href={`${place.site}/${page.slug}`}>
            {t("seeLive")}
          </a>
        )}
      </p>
      <div ref={host} />
    </div>
  );
}
