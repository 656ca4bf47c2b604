import { useEffect, useMemo, useState } from "preact/hooks";
import { Problem } from "../api/client.ts";
import { openDraft, unique } from "../draft/browser.ts";
import type { Draft } from "../draft/draft.ts";
import type { Place } from "../draft/load.ts";
import { addressOf, readdress, type Screen } from "../router.ts";
import { Failed } from "../ui/problem.tsx";
import { t } from "../words.ts";
import { Writing } from "./writing.tsx";

/** The screen on which one page is written, or a new one. It opens the draft and owns it. */
export function PageScreen({ at }: { at: Screen & { name: "page" | "new" } }) {
  const place = useMemo((): Place => (at.name === "page" ? { page: at.id } : { draft: at.proposal ?? unique(), parent: at.parent }), []);
  // A tab that is loaded again comes back to this draft.
  useEffect(() => void ("draft" in place && readdress({ name: "new", parent: place.parent, proposal: place.draft })), []);
  const [example] = useState(at.name === "new" && (at.example ?? false));
  const [draft, setDraft] = useState<Draft>();
  const [fault, setFault] = useState<unknown>();
  const [tries, setTries] = useState(0);
  useEffect(() => {
    let close: (() => void) | undefined;
    let gone = false;
    setFault(undefined);
    openDraft(place).then(
      (opened) => {
        close = opened.close;
        if (gone) close();
        else setDraft(opened.draft);
      },
      (e: unknown) => gone || setFault(e),
    );
    return () => {
      gone = true;
      close?.();
    };
  }, [tries]);
  if (fault instanceof Problem && fault.status === 404 && "page" in place) return <Missing id={place.page} />;
  if (fault) return <Failed title={t("faultTitle")} problem={fault} retry={() => setTries(tries + 1)} />;
  if (!draft) return <p class="loading">{t("loading")}</p>;
  return <Writing draft={draft} example={example} />;
}

function Missing({ id }: { id: string }) {
  return (
    <div class="page-width">
      <h1>{t("noPage")}</h1>
      <p>{t("noPageText")}</p>
      <p class="row">
        <a class="button primary" href={addressOf({ name: "home" })}>
          {t("toPages")}
        </a>
        <a class="button" href={addressOf({ name: "history", id })}>
          {t("history")}
        </a>
      </p>
    </div>
  );
}
