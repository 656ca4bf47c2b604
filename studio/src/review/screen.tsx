import { useEffect, useMemo, useState } from "preact/hooks";
import type { Person, Proposal } from "../api/types.ts";
import { When } from "../history/when.tsx";
import { client, may, session } from "../session.ts";
import { loadPages } from "../shell/pages.ts";
import { usePresence } from "../shell/presence.tsx";
import { useTitle } from "../shell/title.ts";
import { useAct } from "../ui/act.ts";
import { Failed, ProblemNote } from "../ui/problem.tsx";
import { t, type Word } from "../words.ts";
import { ChangeSection, type View } from "./change.tsx";
import { type Open, readProposal } from "./read.ts";
import { say } from "./say.ts";
import { Composer, Thread } from "./thread.tsx";
import { Reviews } from "./verdict.tsx";

const statusWords: Record<Proposal["status"], Word> = { draft: "proposalDraft", open: "proposalOpen", merged: "proposalMerged", closed: "proposalClosed" };
const looks: Record<Proposal["status"], string> = { draft: "badge draft", open: "badge warn", merged: "badge ok", closed: "badge" };

/** What a proposal changes, what is said of it, and merging or closing it. */
export function ProposalScreen({ id }: { id: string }) {
  const [open, setOpen] = useState<Open>();
  const [people, setPeople] = useState<ReadonlyMap<string, string>>(new Map());
  const [fault, setFault] = useState<unknown>();
  const [asked, setAsked] = useState(0);
  useTitle(open?.proposal.title ?? "");
  const again = () => setAsked((n) => n + 1);
  useEffect(() => {
    const ended = new AbortController();
    readProposal(id, ended.signal).then(
      (o) => {
        setOpen(o);
        setFault(undefined);
      },
      (e: unknown) => ended.signal.aborted || setFault(e),
    );
    return () => ended.abort();
  }, [id, asked]);
  useEffect(() => {
    let gone = false;
    // Without names the identifiers are shown: whoever reads published pages only gets none.
    client.all<Person>("/people?limit=100").then(
      (all) => gone || setPeople(new Map(all.map((p) => [p.id, p.name]))),
      () => undefined,
    );
    return () => void (gone = true);
  }, []);
  useEffect(() => {
    addEventListener("focus", again);
    return () => removeEventListener("focus", again);
  }, []);
  if (!open) return fault ? <Failed title={say("proposal")} problem={fault} retry={again} /> : <p class="loading">{t("loading")}</p>;
  return <Shown open={open} people={people} fault={fault} onChange={again} />;
}

interface ShownProps {
  open: Open;
  people: ReadonlyMap<string, string>;
  fault: unknown;
  onChange: () => void;
}

function Shown({ open, people, fault, onChange }: ShownProps) {
  const { proposal, etag, checks, comments } = open;
  const narrow = useMemo(() => matchMedia("(max-width: 60rem)").matches, []);
  const [view, setView] = useState<View>(narrow ? "unified" : "split");
  const act = useAct();
  const others = usePresence({ proposalId: proposal.id });
  const own = proposal.author.id === session.value?.person;
  const mayChange = own || may("pages:write");
  const isOpen = proposal.status === "open" || proposal.status === "draft";
  const ask = (path: string, method: "POST" | "PATCH", body: unknown) =>
    void act
      .run((post) => (method === "POST" ? post(`/proposals/${proposal.id}${path}`, body, etag) : client.call(`/proposals/${proposal.id}${path}`, { method, body, ifMatch: etag })))
      .then(() => {
        void loadPages();
        onChange(); // what was refused may have other reasons by now
      });
  const general = comments.filter((c) => !c.changeId);
  const of = (changeId: string) => checks.filter((c) => c.changeId === changeId);
  const choice = (value: View, label: string) => (
    <label>
      <input type="radio" name="diff-view" checked={view === value} onChange={() => setView(value)} />
      {label}
    </label>
  );
  return (
    <div class="review">
      <h1 dir="auto">{proposal.title}</h1>
      <p class="row">
        <span class={looks[proposal.status]}>{t(statusWords[proposal.status])}</span>
        <Origin of={proposal.origin} />
        <span class="muted">
          {t("proposalBy", proposal.author.name)} <When at={proposal.createdAt} now={Date.now()} />
        </span>
        {proposal.status === "open" && may("pages:write") && (
          <button type="button" class="button primary" disabled={act.busy || checks.some((c) => c.severity === "error")} onClick={() => ask("/merge", "POST", {})}>
            {t("merge")}
          </button>
        )}
        {proposal.status === "open" && mayChange && (
          <button type="button" class="button" disabled={act.busy} onClick={() => ask("", "PATCH", { status: "closed" })}>
            {t("proposalClose")}
          </button>
        )}
        {proposal.status === "closed" && mayChange && (
          <button type="button" class="button" disabled={act.busy} onClick={() => ask("", "PATCH", { status: "open" })}>
            {say("reopenProposal")}
          </button>
        )}
      </p>
      {others.length > 0 && <p class="notice">{say("alsoHere", others.join(", "))}</p>}
      {proposal.description && (
        <p class="proposal-text" dir="auto">
          {proposal.description}
        </p>
      )}
      {fault !== undefined && <ProblemNote problem={fault} retry={onChange} />}
      {act.fault !== undefined && <ProblemNote problem={act.fault} />}
      <fieldset class="row history-view">
        <legend class="visually-hidden">{t("diffView")}</legend>
        {choice("split", t("diffSideBySide"))}
        {choice("unified", t("diffUnified"))}
        {choice("rendered", t("diffRendered"))}
      </fieldset>
      {proposal.changes.map((c) => (
        <ChangeSection key={c.id} proposal={proposal.id} of={c} view={view} checks={of(c.id)} comments={comments.filter((m) => m.changeId === c.id || comments.some((r) => r.id === m.replyTo && r.changeId === c.id))} open={isOpen} author={mayChange} onChange={onChange} />
      ))}
      <section class="review-talk" aria-labelledby="talk">
        <h2 id="talk">{say("discussion")}</h2>
        {general
          .filter((c) => !c.replyTo)
          .map((c) => (
            <Thread key={c.id} proposal={proposal.id} author={mayChange} of={c} replies={general.filter((r) => r.replyTo === c.id)} onChange={onChange} />
          ))}
        <Composer proposal={proposal.id} at={{}} onDone={onChange} />
      </section>
      <Reviews open={open} names={people} onChange={onChange} />
    </div>
  );
}

/** Where a proposal comes from, unless it is from a person in Studio. */
export function Origin({ of }: { of: string }) {
  const word = ({ mcp: "fromAgent", reader: "fromReader", git: "fromGit", import: "fromImport", api: "fromApi" } as const)[of as "mcp"];
  return word ? <span class="badge warn">{say(word)}</span> : null;
}

