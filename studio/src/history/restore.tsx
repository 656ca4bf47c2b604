import { useEffect, useRef, useState } from "preact/hooks";
import { Problem } from "../api/client.ts";
import type { Page } from "../api/types.ts";
import { client, may } from "../session.ts";
import { Dialog } from "../ui/dialog.tsx";
import { ProblemNote } from "../ui/problem.tsx";
import { t } from "../words.ts";
import { type FullRevision, readRevision } from "./source.ts";

interface Props {
  page: Page;
  number: number;
  /** Reports whether it was done: a person may think better of it. */
  onRestoreDraft: ((revision: FullRevision) => Promise<boolean>) | undefined;
  /** Tells in words what happened, and whether the page itself has changed. */
  onDone(words: string, present: boolean): void;
}

/** Brings a revision back: as the draft of whoever asks, or at once. */
export function Restore({ page, number, onRestoreDraft, onDone }: Props) {
  const [asks, setAsks] = useState(false);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<unknown>();
  const ended = useRef(new AbortController());
  useEffect(() => () => ended.current.abort(), []);
  const signal = ended.current.signal;

  const run = async (what: () => Promise<void>) => {
    setBusy(true);
    setFault(undefined);
    try {
      await what();
    } catch (e) {
      if (!signal.aborted) setFault(e);
    } finally {
      setBusy(false);
      setAsks(false);
    }
  };
  const asDraft = async (words: string) => {
    if (await onRestoreDraft!(await readRevision(page.id, number, signal))) onDone(words, false);
  };
  const atOnce = async () => {
    try {
      await client.call(`/pages/${page.id}/revisions/${number}/restore`, { method: "POST", signal });
    } catch (e) {
      if (!onRestoreDraft || !(e instanceof Problem) || e.kind !== "review-required") throw e;
      return asDraft(t("restoredReview", number));
    }
    onDone(t("restoredNow", number), true);
  };

  const writes = may("pages:write");
  const drafts = onRestoreDraft !== undefined && (writes || may("pages:propose"));
  if (!writes && !drafts) return null;
  const draft = () => void run(() => asDraft(t("restoredDraft", number)));
  return (
    <>
      <button type="button" class="button" disabled={busy} onClick={() => (writes ? setAsks(true) : draft())}>
        {t("restore")}
      </button>
      {fault !== undefined && <ProblemNote problem={fault} />}
      {asks && (
        <Dialog title={t("restoreHow", number)} onClose={() => setAsks(false)}>
          <div class="dialog-foot">
            <button type="button" class="button" disabled={busy} onClick={() => setAsks(false)}>
              {t("historyCancel")}
            </button>
            <button type="button" class="button" disabled={busy} onClick={() => void run(atOnce)}>
              {t("restoreNow")}
            </button>
            {drafts && (
              <button type="button" class="button primary" disabled={busy} onClick={draft}>
                {t("restoreDraft")}
              </button>
            )}
          </div>
        </Dialog>
      )}
    </>
  );
}
