import { useEffect, useMemo, useState } from "preact/hooks";
import type { Draft, Outcome } from "../draft/draft.ts";
import type { Work } from "../draft/work.ts";
import { addressOf, go, readdress } from "../router.ts";
import { loadDrafts, loadPages, pages } from "../shell/pages.ts";
import { useTitle } from "../shell/title.ts";
import { Dialog } from "../ui/dialog.tsx";
import { useLazy } from "../ui/lazy.ts";
import { ProblemNote } from "../ui/problem.tsx";
import { t, type Word } from "../words.ts";
import type { Action } from "./actions.ts";
import { AskForReview } from "./ask.tsx";
import { Head } from "./head.tsx";
import { SavingNote } from "./saving.tsx";
import { freeSlug, slugOf } from "./slug.ts";

/** What the parts of the screen tell each other about the text that is being written. */
export interface Text {
  read: () => string; // the text as it is now
}

/** A page that is open: its head, its text and what is beside it. */
export function Writing({ draft, example }: { draft: Draft; example: boolean }) {
  const [asks, setAsks] = useState<Action>();
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState<{ word: Word; proposal?: string | undefined }>();
  const [resolving, setResolving] = useState(false);
  const edited = useMemo<Partial<Work>>(() => ({}), [draft]);
  const text = useMemo<{ current: Text | null }>(() => ({ current: null }), [draft]);
  const Pane = useLazy(() => import("./pane.tsx").then((m) => m.Pane));
  const problem = draft.problem.value;
  const merging = resolving && draft.conflict.value !== null;
  useTitle(draft.work.value.title || t("untitled"));

  /** Notes what was edited; the draft reads it when it is time. */
  const change = (part: Partial<Work>) => {
    Object.assign(edited, part);
    setDone(undefined);
    draft.changed(() => ({ ...edited, ...(text.current ? { content: text.current.read() } : {}) }));
  };

  // What the head or a panel edited is part of the text once it comes from elsewhere.
  useEffect(() => draft.shown.subscribe(() => Object.keys(edited).forEach((k) => delete edited[k as keyof Work])), [draft]);

  // Other devices know a new page by its proposal.
  const saved = draft.savedAt.value;
  useEffect(() => {
    if (!draft.live.value && draft.proposal) readdress({ name: "new", parent: null, proposal: draft.proposal });
  }, [saved]);

  const retitle = (title: string) => {
    const work = { ...draft.work.value, ...edited };
    // A new page is called after its title until somebody says otherwise.
    const follows = !draft.live.value && (!work.slug || work.slug.replace(/-\d+$/, "") === slugOf(work.title));
    change(follows ? { title, slug: freeSlug(title, (slug) => pages.value.some((p) => p.slug === slug)) } : { title });
  };

  const act = async (word: Word, run: () => Promise<Outcome>) => {
    setBusy(true);
    setDone(undefined);
    const outcome = await run();
    setBusy(false);
    setAsks(draft.problem.value?.kind === "review-required" ? "askForReview" : undefined);
    if (outcome === "conflict") setResolving(true);
    if (outcome !== "done") return; // the state of saving and the problem tell
    setDone({ word, proposal: word === "asked" ? draft.asked : undefined });
    const live = draft.live.value;
    if (live) go({ name: "page", id: live.id }, true);
    else if (word === "discarded" || word === "asked") go({ name: "home" }, true);
    void loadPages();
    void loadDrafts();
  };

  const perform = (a: Action) => {
    if (a === "publish") void act("published", () => draft.publish());
    else if (a === "saveDraft") void act("savedDraft", () => draft.saveDraft());
    else setAsks(a);
  };

  return (
    <div class="writing">
      <Head draft={draft} busy={busy} onTitle={retitle} onAction={perform} />
      <div class="page-notes">
        <SavingNote draft={draft} onResolve={() => setResolving(true)} />
        {problem && <ProblemNote problem={problem} />}
        {done && (
          <p class="notice ok">
            {t(done.word)} {done.proposal && <a href={addressOf({ name: "proposal", id: done.proposal })}>{t("askedLink")}</a>}
          </p>
        )}
      </div>
      {merging && <Resolving draft={draft} onEnd={() => setResolving(false)} />}
      {Pane ? <Pane draft={draft} text={text} hidden={merging} onChange={change} example={example} /> : <p class="loading">{t("loading")}</p>}
      {asks === "askForReview" && (
        <AskForReview
          needed={problem?.kind === "review-required"}
          onCancel={() => setAsks(undefined)}
          onSend={(reviewers, message) => void act("asked", () => draft.askForReview(reviewers, message))}
        />
      )}
      {asks === "discard" && (
        <Confirm word="discard" text={t(draft.live.value ? "discardAsk" : "discardNewAsk")} onCancel={() => setAsks(undefined)} onYes={() => void act("discarded", () => draft.discard())} />
      )}
      {asks === "unpublish" && <Confirm word="unpublish" text={t("unpublishAsk")} onCancel={() => setAsks(undefined)} onYes={() => void act("unpublished", () => draft.unpublish())} />}
    </div>
  );
}

function Resolving({ draft, onEnd }: { draft: Draft; onEnd: () => void }) {
  const Resolve = useLazy(() => import("./resolve.tsx").then((m) => m.Resolve));
  return Resolve ? <Resolve draft={draft} onEnd={onEnd} /> : null;
}

function Confirm({ word, text, onYes, onCancel }: { word: Word; text: string; onYes: () => void; onCancel: () => void }) {
  return (
    <Dialog title={t(word)} onClose={onCancel}>
      <p>{text}</p>
      <div class="dialog-foot">
        <button class="button" onClick={onCancel}>
          {t("cancel")}
        </button>
        <button class="button danger" onClick={onYes}>
          {t(word)}
        </button>
      </div>
    </Dialog>
  );
}
