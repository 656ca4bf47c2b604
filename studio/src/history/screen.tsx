import { useEffect, useRef, useState } from "preact/hooks";
import type { Page, Revision } from "../api/types.ts";
import { addressOf, go } from "../router.ts";
import { client, may } from "../session.ts";
import { Failed, ProblemNote } from "../ui/problem.tsx";
import { t } from "../words.ts";
import { Comparison } from "./comparison.tsx";
import { Restore } from "./restore.tsx";
import { type Choice, type FullRevision, type Past, readPast, type State } from "./source.ts";
import { When } from "./when.tsx";

interface Props {
  id: string;
  /** The draft of whoever looks, where they have one. */
  draft?: State | undefined;
  /** Puts a revision into the draft of whoever looks. */
  onRestoreDraft?: (revision: FullRevision) => Promise<boolean>;
}

/** What a page said before, and ways back to it. */
export function HistoryScreen({ id, draft, onRestoreDraft }: Props) {
  const [past, setPast] = useState<Past>();
  const [fault, setFault] = useState<unknown>();
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    const ended = new AbortController();
    setFault(undefined);
    readPast(id, may("pages:write"), ended.signal).then(setPast, (e) => ended.signal.aborted || setFault(e));
    return () => ended.abort();
  }, [id, asked]);
  const again = () => setAsked(asked + 1);
  if (fault) return <Failed title={t("history")} problem={fault} retry={again} />;
  if (!past) return <p class="loading">{t("loading")}</p>;
  if ("deleted" in past) return <Deleted page={past.deleted} onBack={again} />;
  return <Revisions {...past} draft={draft} onRestoreDraft={onRestoreDraft} onRestored={again} />;
}

interface RevisionsProps {
  page: Page;
  revisions: Revision[];
  draft: State | undefined;
  onRestoreDraft: Props["onRestoreDraft"];
  onRestored(): void;
}

const more = 50; // revisions that are shown at first, and with each further step

function Revisions({ page, revisions, draft, onRestoreDraft, onRestored }: RevisionsProps) {
  const [shown, setShown] = useState(more);
  const [chosen, setChosen] = useState(revisions[0]?.number);
  const [other, setOther] = useState<Choice>(); // the one before, if nothing else is chosen
  const [said, setSaid] = useState("");
  const now = Date.now();
  const at = revisions.findIndex((r) => r.number === chosen);
  const before = revisions[at + 1]?.number;
  const against = other ?? before;
  return (
    <div class="history">
      <header>
        <h1 tabIndex={-1}>
          {t("history")}: {page.title}
        </h1>
        <p>
          <a href={addressOf({ name: "page", id: page.id })}>{t("historyBack")}</a>
        </p>
      </header>
      <p class={said ? "notice ok" : ""} role="status">
        {said}
      </p>
      <div class="history-parts">
        <section class="history-list" aria-label={t("revisions")}>
          <ol>
            {revisions.slice(0, shown).map((r) => (
              <li key={r.number}>
                <button type="button" class="history-item" aria-current={r.number === chosen} onClick={() => (setChosen(r.number), setOther(undefined))}>
                  <strong>{t("revision", r.number)}</strong> <When at={r.createdAt} now={now} />
                  <span>
                    {t("byPerson", r.author.name)}
                    {r.proposalId && `, ${t("fromProposal")}`}
                    {r.mergedBy && `, ${t("mergedBy", r.mergedBy.name)}`}
                  </span>
                </button>
              </li>
            ))}
          </ol>
          {shown < revisions.length && (
            <button type="button" class="button" onClick={() => setShown(shown + more)}>
              {t("moreRevisions")}
            </button>
          )}
        </section>
        {chosen !== undefined && (
          <div class="history-shown">
            <div class="row">
              <label>
                {t("compareWith")}{" "}
                <select class="field" value={String(against ?? "")} onChange={(e) => setOther(choiceOf(e.currentTarget.value))}>
                  {before === undefined && <option value="">–</option>}
                  <option value="present">{t("presentText")}</option>
                  {draft && <option value="draft">{t("myDraft")}</option>}
                  {revisions.map((r) => r.number !== chosen && <option value={r.number}>{t("revision", r.number)}</option>)}
                </select>
              </label>
              <Restore
                key={chosen}
                page={page}
                number={chosen}
                onRestoreDraft={onRestoreDraft}
                onDone={(words, present) => {
                  setSaid(words);
                  if (present) onRestored();
                }}
              />
            </div>
            <Comparison page={page} chosen={chosen} other={against} draft={draft} />
          </div>
        )}
      </div>
    </div>
  );
}

const choiceOf = (value: string): Choice | undefined => (value === "" ? undefined : value === "present" || value === "draft" ? value : Number(value));

function Deleted({ page, onBack }: { page: Page & { deletedAt: string }; onBack(): void }) {
  const [fault, setFault] = useState<unknown>();
  const [state, setState] = useState<"" | "busy" | "back">("");
  const ended = useRef(new AbortController());
  useEffect(() => () => ended.current.abort(), []);
  const restore = async () => {
    setState("busy");
    setFault(undefined);
    try {
      await client.call(`/pages/${page.id}/restore`, { method: "POST", signal: ended.current.signal });
      setState("back");
    } catch (e) {
      if (ended.current.signal.aborted) return;
      setFault(e);
      setState("");
    }
  };
  return (
    <div class="history">
      <h1 tabIndex={-1}>{page.title}</h1>
      <p role="status">{state === "back" ? t("restoredPage") : <Gone at={page.deletedAt} />}</p>
      {fault !== undefined && <ProblemNote problem={fault} />}
      <p class="row">
        {state === "back" ? (
          <>
            <button type="button" class="button primary" onClick={() => go({ name: "page", id: page.id })}>
              {t("historyBack")}
            </button>
            <button type="button" class="button" onClick={onBack}>
              {t("history")}
            </button>
          </>
        ) : (
          <button type="button" class="button primary" disabled={state === "busy"} onClick={() => void restore()}>
            {t("restore")}
          </button>
        )}
      </p>
    </div>
  );
}

function Gone({ at }: { at: string }) {
  const [before, after] = t("historyDeleted", "\n").split("\n");
  return (
    <>
      {before}
      <When at={at} now={Date.now()} />
      {after}
    </>
  );
}
