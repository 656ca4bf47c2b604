import { useState } from "preact/hooks";
import { Problem, Told } from "../api/client.ts";
import { When } from "../history/when.tsx";
import { may, session } from "../session.ts";
import { useAct } from "../ui/act.ts";
import { RemoveDialog } from "../ui/form.tsx";
import { useGuard } from "../ui/guard.ts";
import { useKept } from "../ui/kept.ts";
import { ProblemNote } from "../ui/problem.tsx";
import type { Open, Review, Verdict } from "./read.ts";
import { say } from "./say.ts";

const words = { approve: "approved", "request-changes": "changesRequested", comment: "commented" } as const;
const looks = { approve: "badge ok", "request-changes": "badge danger", comment: "badge" } as const;

/** What reviewers have said, who is still asked, and saying it. */
export function Reviews({ open, names, onChange }: { open: Open; names: ReadonlyMap<string, string>; onChange: () => void }) {
  const { proposal, reviews, approvals } = open;
  const approved = reviews.filter((r) => r.verdict === "approve" && r.counts).length;
  const waiting = proposal.reviewers.filter((id) => !reviews.some((r) => r.author.id === id && r.verdict !== "comment" && r.counts));
  const own = proposal.author.id === session.value?.person;
  return (
    <section class="review-said" aria-labelledby="reviews">
      <h2 id="reviews">{say("reviews")}</h2>
      {approvals > 0 && proposal.status === "open" && <p>{say(approved >= approvals ? "approvalsHave" : "approvalsNeed", approved, approvals)}</p>}
      {waiting.length > 0 && proposal.status === "open" && <p>{say("waitsFor", waiting.map((id) => names.get(id) ?? id).join(", "))}</p>}
      {reviews.length > 0 && (
        <ul class="entries">
          {reviews.map((r) => (
            <Given key={r.id} of={r} proposal={proposal.id} onChange={onChange} />
          ))}
        </ul>
      )}
      {proposal.status === "open" && <Give proposal={proposal.id} etag={open.etag} own={own} onChange={onChange} />}
    </section>
  );
}

function Given({ of, proposal, onChange }: { of: Review; proposal: string; onChange: () => void }) {
  const [asking, setAsking] = useState(false);
  return (
    <li>
      <span>
        <span class={looks[of.verdict]}>{say(words[of.verdict])}</span> <bdi>{of.author.name}</bdi> <When at={of.createdAt} now={Date.now()} />{" "}
        {!of.counts && of.verdict !== "comment" && <span class="small muted"> {say("notCounted")}</span>}
        {of.text && (
          <span class="said-text" dir="auto">
            {of.text}
          </span>
        )}
      </span>
      {of.verdict === "request-changes" && of.counts && may("admin") && (
        <button type="button" class="button" onClick={() => setAsking(true)}>
          {say("dismissReview")}
        </button>
      )}
      {asking && <RemoveDialog name={say("reviewBy", of.author.name)} what={say("dismissWhat")} path={`/proposals/${proposal}/reviews/${of.id}`} onClose={() => (setAsking(false), onChange())} />}
    </li>
  );
}

function Give({ proposal, etag, own, onChange }: { proposal: string; etag: string; own: boolean; onChange: () => void }) {
  const [text, setText] = useKept(`${proposal}.review`, "");
  const act = useAct();
  useGuard(text !== "");
  const give = (verdict: Verdict) =>
    void act
      .run(async (post) => {
        try {
          // Whoever decides has read what they decide on.
          await post(`/proposals/${proposal}/reviews`, { verdict, text }, verdict === "comment" ? undefined : etag);
        } catch (e) {
          throw e instanceof Problem && e.status === 412 ? new Told(say("changedMeanwhile")) : e;
        }
      })
      .then((done) => {
        if (done) setText("");
        onChange();
      });
  return (
    <form class="composer" onSubmit={(e) => e.preventDefault()}>
      <label>
        {say("yourReview")}
        <textarea class="field" dir="auto" value={text} maxLength={10_000} onInput={(e) => setText(e.currentTarget.value)} />
      </label>
      {act.fault !== undefined && <ProblemNote problem={act.fault} />}
      <p class="row">
        {may("pages:write") && !own && (
          <>
            <button type="button" class="button primary" disabled={act.busy} onClick={() => give("approve")}>
              {say("approve")}
            </button>
            <button type="button" class="button" disabled={act.busy} onClick={() => give("request-changes")}>
              {say("requestChanges")}
            </button>
          </>
        )}
        <button type="button" class="button" disabled={act.busy || text.trim() === ""} onClick={() => give("comment")}>
          {say("comment")}
        </button>
      </p>
    </form>
  );
}
