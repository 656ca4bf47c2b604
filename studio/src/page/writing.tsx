import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useState } from "preact/hooks";
import { Problem } from "../api/client.ts";
import type { Draft, Work } from "../draft/draft.ts";
import { go } from "../router.ts";
import { loadPages } from "../shell/tree.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { ProblemNote } from "../ui/problem.tsx";
import { t, type Word } from "../words.ts";
import type { Action } from "./actions.ts";
import { AskForReview } from "./ask.tsx";
import { Head } from "./head.tsx";
import { SavingNote } from "./saving.tsx";
import { useLazy } from "../ui/lazy.ts";

/** What the parts of the screen tell each other about the text that is being written. */
export interface Text {
  read: () => string; // the text as it is now
  replace: (text: string) => void; // as one step that can be undone
  goTo: (line: number) => void;
}

/** A page that is open: its head, its text and what is beside it. */
export function Writing({ draft }: { draft: Draft }) {
  const [asks, setAsks] = useState<Action>();
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState<{ word: Word; proposal?: string }>();
  const fault = useSignal<Problem | null>(null);
  const [resolving, setResolving] = useState(false);
  const edited = useMemo<Partial<Work>>(() => ({}), [draft]);
  const text = useMemo<{ current: Text | null }>(() => ({ current: null }), [draft]);
  const Pane = useLazy(() => import("./pane.tsx").then((m) => m.Pane));
  const Resolve = useLazy(() => import("./resolve.tsx").then((m) => m.Resolve), resolving);

  useEffect(() => {
    document.title = `${draft.work.value.title || t("untitled")} · Octavo Studio`;
  }, [draft.work.value.title]);

  /** Notes what was edited; the draft reads it when it is time. */
  const change = (part: Partial<Work>) => {
    Object.assign(edited, part);
    setDone(undefined);
    draft.changed(() => ({ ...edited, ...(text.current ? { content: text.current.read() } : {}) }));
  };

  const act = async (a: Action, run: () => Promise<void>) => {
    setBusy(true);
    setDone(undefined);
    fault.value = null;
    try {
      await run();
      void loadPages();
    } catch (e) {
      if (!(e instanceof Problem)) return; // the state of saving tells what is gone
      fault.value = e;
      if (e.kind === "review-required") setAsks("askForReview");
    } finally {
      setBusy(false);
      if (a !== "askForReview") setAsks((was) => (was === a ? undefined : was));
    }
  };

  const perform = (a: Action) => {
    switch (a) {
      case "publish":
      case "saveDraft":
        return void act(a, async () => {
          const id = await (a === "publish" ? draft.publish() : draft.saveDraft());
          setDone({ word: a === "publish" ? "published" : "savedDraft" });
          go({ name: "page", id }, true);
        });
      default:
        setAsks(a);
    }
  };

  const problem = fault.value ?? draft.problem.value;
  return (
    <div class="writing">
      <Head draft={draft} busy={busy} onTitle={(title) => change({ title })} onAction={perform} />
      <div class="page-notes">
        <SavingNote draft={draft} onResolve={() => setResolving(true)} />
        {problem && <ProblemNote problem={problem} />}
        {done && (
          <p class="notice ok" role="note">
            {t(done.word)}
          </p>
        )}
      </div>
      {resolving && draft.conflict.value && Resolve ? (
        <Resolve draft={draft} onDone={() => setResolving(false)} />
      ) : Pane ? (
        <Pane draft={draft} text={text} onChange={change} />
      ) : (
        <p class="loading">{t("loading")}</p>
      )}
      {asks === "askForReview" && (
        <AskForReview
          needed={fault.value?.kind === "review-required"}
          onCancel={() => setAsks(undefined)}
          onSend={(reviewers, message) =>
            void act("askForReview", async () => {
              const id = await draft.askForReview(reviewers, message);
              setAsks(undefined);
              setDone({ word: "asked", proposal: id });
            })
          }
        />
      )}
      {asks === "discard" && (
        <Confirm
          word="discard"
          text={t(draft.live.value ? "discardAsk" : "discardNewAsk")}
          onCancel={() => setAsks(undefined)}
          onYes={() =>
            void act("discard", async () => {
              const live = draft.live.value;
              await draft.discard();
              if (live) text.current?.replace(live.content);
              else go({ name: "home" }, true);
              setDone({ word: "discarded" });
            })
          }
        />
      )}
      {asks === "unpublish" && (
        <Confirm
          word="unpublish"
          text={t("unpublishAsk")}
          onCancel={() => setAsks(undefined)}
          onYes={() =>
            void act("unpublish", async () => {
              await draft.unpublish();
              setDone({ word: "unpublished" });
            })
          }
        />
      )}
    </div>
  );
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
