import { useState } from "preact/hooks";
import { When } from "../history/when.tsx";
import { may, session } from "../session.ts";
import { send, useAct } from "../ui/act.ts";
import { RemoveDialog } from "../ui/form.tsx";
import { useGuard } from "../ui/guard.ts";
import { useKept } from "../ui/kept.ts";
import { ProblemNote } from "../ui/problem.tsx";
import { t } from "../words.ts";
import type { Comment, Side } from "./read.ts";
import { say } from "./say.ts";

/** Where a comment stands: at lines of a change, or nowhere for one on the whole proposal. */
export interface At {
  changeId?: string;
  side?: Side;
  line?: number;
  quote?: string;
}

interface ThreadProps {
  proposal: string;
  author: boolean; // whoever looks made the proposal
  of: Comment;
  replies: readonly Comment[];
  onChange: () => void;
  onTake?: (() => Promise<unknown>) | undefined; // takes the suggestion into the change
}

/** A comment and what was answered. */
export function Thread({ proposal, author, of, replies, onChange, onTake }: ThreadProps) {
  const act = useAct();
  const [replying, setReplying] = useKept(`${of.id}.reply`, false);
  const [removing, setRemoving] = useState(false);
  const path = `/proposals/${proposal}/comments/${of.id}`;
  const resolve = (resolved: boolean) => void act.run(() => send("PATCH", path, { resolved })).then(onChange);
  const take = () =>
    void act
      .run(async () => {
        await onTake!();
        await send("PATCH", path, { resolved: true });
      })
      .then(onChange);
  const own = of.author.id === session.value?.person;
  return (
    <article class={`thread${of.resolved ? " resolved" : ""}`} aria-label={say("commentBy", of.author.name)}>
      {(of.line !== undefined || of.resolved) && (
        <p class="small muted">
          {of.line !== undefined && say(of.side === "base" ? "atBaseLine" : "atLine", of.line)}{" "}
          {of.resolved && <span class="badge ok">{say("resolved")}</span>}
        </p>
      )}
      {of.quote && <pre class="thread-quote">{of.quote}</pre>}
      <Said of={of} />
      {of.suggestion !== undefined && (
        <div class="thread-suggestion">
          <p class="small muted">{say("suggests")}</p>
          <pre>{of.suggestion || say("noLines")}</pre>
        </div>
      )}
      {replies.map((r) => (
        <Said key={r.id} of={r} />
      ))}
      {act.fault !== undefined && <ProblemNote problem={act.fault} />}
      {replying ? (
        <Composer
          proposal={proposal}
          at={{}}
          replyTo={of.id}
          onDone={() => {
            setReplying(false);
            onChange();
          }}
          onCancel={() => setReplying(false)}
        />
      ) : (
        <p class="row">
          {of.suggestion !== undefined && !of.resolved && onTake && (
            <button type="button" class="button primary" disabled={act.busy} onClick={take}>
              {say("take")}
            </button>
          )}
          <button type="button" class="button" onClick={() => setReplying(true)}>
            {say("reply")}
          </button>
          {(author || may("pages:write")) && (
            <button type="button" class="button" disabled={act.busy} onClick={() => resolve(!of.resolved)}>
              {say(of.resolved ? "reopen" : "resolve")}
            </button>
          )}
          {(own || may("admin")) && (
            <button type="button" class="button plain" onClick={() => setRemoving(true)}>
              {say("deleteComment")}
            </button>
          )}
        </p>
      )}
      {removing && <RemoveDialog name={say("commentBy", of.author.name)} what={of.text} path={path} onClose={() => (setRemoving(false), onChange())} />}
    </article>
  );
}

function Said({ of }: { of: Comment }) {
  return (
    <div class="said">
      <p class="small muted">
        <strong>
          <bdi>{of.author.name}</bdi>
        </strong>{" "}
        <When at={of.createdAt} now={Date.now()} />
      </p>
      <p class="said-text" dir="auto">
        {of.removed ? <em>{say("removedComment")}</em> : of.text}
      </p>
    </div>
  );
}

interface ComposerProps {
  proposal: string;
  at: At;
  replyTo?: string;
  onDone: () => void;
  onCancel?: () => void;
}

/** Asks for a comment, and for a text in place of the lines that it is on. */
export function Composer({ proposal, at, replyTo, onDone, onCancel }: ComposerProps) {
  const place = `${proposal}.${replyTo ?? at.changeId ?? ""}.${at.side ?? ""}.${at.line ?? ""}`;
  const [text, setText] = useKept(place, "");
  const [suggestion, setSuggestion] = useKept<string | undefined>(`${place}.suggestion`, undefined);
  const act = useAct();
  useGuard(text !== "");
  const body = { ...at, text, ...(replyTo && { replyTo }), ...(suggestion !== undefined && { suggestion }) };
  return (
    <form
      class="composer"
      onSubmit={(e) => {
        e.preventDefault();
        void act.run((post) => post(`/proposals/${proposal}/comments`, body)).then((done) => {
          if (!done) return;
          setText("");
          setSuggestion(undefined);
          onDone();
        });
      }}
    >
      {at.quote && <pre class="thread-quote">{at.quote}</pre>}
      <label>
        {say(replyTo ? "reply" : at.line ? "commentOnLine" : "comment", at.line ?? "")}
        <textarea class="field" dir="auto" value={text} required maxLength={10_000} onInput={(e) => setText(e.currentTarget.value)} />
      </label>
      {at.side === "proposed" && suggestion === undefined && (
        <button type="button" class="button plain" onClick={() => setSuggestion(at.quote ?? "")}>
          {say("suggest")}
        </button>
      )}
      {suggestion !== undefined && (
        <label>
          {say("suggestion")}
          <textarea class="field mono" value={suggestion} onInput={(e) => setSuggestion(e.currentTarget.value)} />
        </label>
      )}
      {act.fault !== undefined && <ProblemNote problem={act.fault} />}
      <p class="row">
        <button class="button primary" disabled={act.busy}>
          {say("send")}
        </button>
        {onCancel && (
          <button type="button" class="button" onClick={() => (setText(""), setSuggestion(undefined), onCancel())}>
            {t("cancel")}
          </button>
        )}
      </p>
    </form>
  );
}
