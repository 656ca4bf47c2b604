import { useEffect, useMemo, useState } from "preact/hooks";
import { Unreachable } from "../api/client.ts";
import type { Draft, Outcome } from "../draft/draft.ts";
import type { Work } from "../draft/work.ts";
import { DeletedPage } from "../matter/delete.tsx";
import { below } from "../matter/facts.ts";
import { addressOf, go, readdress } from "../router.ts";
import { client } from "../session.ts";
import { loadDrafts, loadPages, pages } from "../shell/pages.ts";
import { useTitle } from "../shell/title.ts";
import { useLazy } from "../ui/lazy.ts";
import { ProblemNote } from "../ui/problem.tsx";
import { t, type Word } from "../words.ts";
import type { Action } from "./actions.ts";
import { AskForReview } from "./ask.tsx";
import { Confirm } from "./confirm.tsx";
import { Head } from "./head.tsx";
import { SavingNote } from "./saving.tsx";
import { freeSlug, slugOf } from "./slug.ts";

/** A page that is open: its head, its text and what is beside it. */
export function Writing({ draft, example }: { draft: Draft; example: boolean }) {
  const [asks, setAsks] = useState<Action>();
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState<{ word: Word; proposal?: string | undefined }>();
  const [resolving, setResolving] = useState(false);
  const edited = useMemo<{ now: Partial<Work>; read: Partial<Work> }>(() => ({ now: {}, read: {} }), [draft]);
  const text = useMemo<{ current: (() => string) | undefined }>(() => ({ current: undefined }), [draft]);
  const [fault, setFault] = useState<unknown>();
  const [deleted, setDeleted] = useState<string[]>();
  const Pane = useLazy(() => import("./pane.tsx").then((m) => m.Pane));
  const problem = draft.problem.value;
  const merging = resolving && draft.conflict.value !== null;
  useTitle(draft.work.value.title || t("untitled"));

  /** Notes what was edited; the draft reads it when it is time. */
  const change = (part: Partial<Work>) => {
    Object.assign(edited.now, part);
    setDone(undefined);
    draft.changed(() => ({ ...(edited.read = { ...edited.now }), ...(text.current && { content: text.current() }) }));
  };

  /** What a panel edits shows in it at once. */
  const edit = (part: Partial<Work>) => {
    change(part);
    if (Object.keys(part).length > 0) draft.take();
  };

  // What was read already gives way to what comes from elsewhere.
  useEffect(
    () =>
      draft.shown.subscribe(() => {
        for (const k of Object.keys(edited.now) as (keyof Work)[]) if (edited.now[k] === edited.read[k]) delete edited.now[k];
      }),
    [draft],
  );

  // Other devices know a new page by its proposal.
  const { proposal } = draft; // there once something was saved, which has this drawn anew
  const isNew = draft.live.value === null;
  useEffect(() => {
    if (isNew && proposal) readdress({ name: "new", parent: null, proposal });
  }, [isNew, proposal]);

  const retitle = (title: string) => {
    const work = { ...draft.work.value, ...edited.now };
    // A new page is called after its title until somebody says otherwise.
    const follows = !draft.live.value && (!work.slug || new RegExp(`^${slugOf(work.title)}(-\\d+)?$`).test(work.slug));
    change(follows ? { title, slug: freeSlug(title, (slug) => pages.value.some((p) => p.slug === slug)) } : { title });
  };

  const act = async (asked: Action, word: Word, run: () => Promise<Outcome>) => {
    setBusy(true);
    setFault(undefined);
    setDone(undefined);
    const outcome = await run();
    setBusy(false);
    setAsks(draft.problem.value?.kind === "review-required" ? "askForReview" : undefined);
    if (outcome === "conflict") setResolving(true);
    if (outcome === "unreachable") setFault(new Unreachable(t(asked)));
    if (outcome !== "done") return; // the state of saving and the problem tell
    setDone({ word, proposal: word === "asked" ? draft.asked : undefined });
    const live = draft.live.value;
    if (live) readdress({ name: "page", id: live.id });
    else if (word === "asked" && draft.asked) go({ name: "proposal", id: draft.asked }, true);
    else if (word === "discarded") go({ name: "home" }, true);
    void loadPages();
    void loadDrafts();
  };

  const remove = async (children?: "cascade" | "reparent") => {
    const id = draft.live.value!.id;
    const gone = children === "cascade" ? [id, ...below(pages.value, id)] : [id];
    await attempt(async () => {
      await client.call(`/pages/${id}${children ? `?children=${children}` : ""}`, { method: "DELETE" });
      setDeleted(gone);
    });
  };

  const restore = async (all: boolean) => {
    const [id, ...others] = deleted!;
    await attempt(async () => {
      for (const one of all ? [id!, ...others] : [id!]) await client.call(`/pages/${one}/restore`, { method: "POST" });
      setDeleted(undefined);
    });
  };

  const attempt = async (run: () => Promise<void>) => {
    setBusy(true);
    setFault(undefined);
    try {
      await run();
    } catch (e) {
      setFault(e);
    } finally {
      setBusy(false);
      void loadPages();
    }
  };

  const perform = (a: Action) => {
    if (a === "publish") void act("publish", "published", () => draft.publish());
    else if (a === "saveDraft") void act("saveDraft", "savedDraft", () => draft.saveDraft());
    else setAsks(a);
  };

  if (deleted) {
    return (
      <div class="page-width">
        <h1>{draft.work.value.title}</h1>
        <DeletedPage below={deleted.length - 1} onRestore={(all) => void restore(all)} />
        {fault !== undefined && <ProblemNote problem={fault} />}
      </div>
    );
  }
  return (
    <div class="writing">
      <Head draft={draft} busy={busy || merging} onTitle={retitle} onAction={perform} />
      <div class="page-notes" aria-live="polite" hidden={merging}>
        <SavingNote draft={draft} onResolve={() => setResolving(true)} />
        {problem && <ProblemNote problem={problem} />}
        {fault !== undefined && <ProblemNote problem={fault} />}
        {done && (
          <p class="notice ok">
            {t(done.word)} {done.proposal && <a href={addressOf({ name: "proposal", id: done.proposal })}>{t("askedLink")}</a>}
          </p>
        )}
      </div>
      {merging && <Resolving draft={draft} onEnd={() => setResolving(false)} />}
      {Pane ? <Pane draft={draft} text={text} hidden={merging} onChange={edit} onDelete={(children) => void remove(children)} example={example} /> : <p class="loading">{t("loading")}</p>}
      {asks === "askForReview" && (
        <AskForReview
          needed={problem?.kind === "review-required"}
          onCancel={() => setAsks(undefined)}
          onSend={(reviewers, message) => void act("askForReview", "asked", () => draft.askForReview(reviewers, message))}
        />
      )}
      {asks === "discard" && (
        <Confirm word="discard" text={t(draft.live.value ? "discardAsk" : "discardNewAsk")} onCancel={() => setAsks(undefined)} onYes={() => void act("discard", "discarded", () => draft.discard())} />
      )}
      {asks === "unpublish" && <Confirm word="unpublish" text={t("unpublishAsk")} onCancel={() => setAsks(undefined)} onYes={() => void act("unpublish", "unpublished", () => draft.unpublish())} />}
    </div>
  );
}

function Resolving({ draft, onEnd }: { draft: Draft; onEnd: () => void }) {
  const Resolve = useLazy(() => import("./resolve.tsx").then((m) => m.Resolve));
  return Resolve ? <Resolve draft={draft} onEnd={onEnd} /> : null;
}
