import { useEffect, useState } from "preact/hooks";
import { Problem } from "../api/client.ts";
import { Draft, type Source } from "../draft/draft.ts";
import { go } from "../router.ts";
import { client, place, session } from "../session.ts";
import { ProblemNote } from "../ui/problem.tsx";
import { t } from "../words.ts";
import { Writing } from "./writing.tsx";

/** The screen on which one page is written. It opens the draft and owns it. */
export function PageScreen({ source }: { source: Source }) {
  const [draft, setDraft] = useState<Draft>();
  const [fault, setFault] = useState<unknown>();
  const key = JSON.stringify(source);
  useEffect(() => {
    let open: Draft | undefined;
    let gone = false;
    setDraft(undefined);
    setFault(undefined);
    Draft.open({ client, root: place.root, person: session.value!.person, source }).then(
      (d) => {
        if (gone) return d.close();
        open = d;
        setDraft(d);
      },
      (e) => gone || setFault(e),
    );
    return () => {
      gone = true;
      open?.close();
    };
  }, [key]);
  if (fault) return <Fault fault={fault} id={"page" in source ? source.page : null} />;
  if (!draft) return <p class="loading">{t("loading")}</p>;
  return <Writing key={key} draft={draft} />;
}

function Fault({ fault, id }: { fault: unknown; id: string | null }) {
  if (!(fault instanceof Problem)) throw fault;
  if (fault.status !== 404) return <ProblemNote problem={fault} />;
  return (
    <div class="page-fault">
      <h1 tabIndex={-1}>{t("noPage")}</h1>
      <p>{t("noPageText")}</p>
      <p class="row">
        <button class="button primary" onClick={() => go({ name: "home" })}>
          {t("toPages")}
        </button>
        {id && (
          <button class="button" onClick={() => go({ name: "history", id })}>
            {t("history")}
          </button>
        )}
      </p>
    </div>
  );
}
