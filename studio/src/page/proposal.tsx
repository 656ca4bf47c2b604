import { useEffect, useState } from "preact/hooks";
import type { Change, Check, Proposal, Revision } from "../api/types.ts";
import { Diff } from "../history/diff.tsx";
import { addressOf } from "../router.ts";
import { client, may, session } from "../session.ts";
import { byId, loadPages } from "../shell/pages.ts";
import { useTitle } from "../shell/title.ts";
import { ProblemNote } from "../ui/problem.tsx";
import { t, type Word } from "../words.ts";

interface Open {
  proposal: Proposal;
  etag: string;
  checks: Check[];
  texts: { change: Change; before: string }[];
}

const statusWords: Record<Proposal["status"], Word> = { draft: "proposalDraft", open: "proposalOpen", merged: "proposalMerged", closed: "proposalClosed" };
const opWords: Record<Change["op"], Word> = { create: "changeCreate", update: "changeUpdate", delete: "changeDelete", restore: "changeRestore" };

async function read(id: string, signal: AbortSignal): Promise<Open> {
  const { data: proposal, etag } = await client.call<Proposal>(`/proposals/${id}`, { signal });
  const { data: checks } = await client.call<Check[]>(`/proposals/${id}/checks`, { signal });
  const texts = [];
  for (const { id: changeId } of proposal.changes) {
    const { data: change } = await client.call<Change>(`/proposals/${id}/changes/${changeId}`, { signal });
    const before = change.pageId && change.baseRevision ? await client.call<Revision>(`/pages/${change.pageId}/revisions/${change.baseRevision}`, { signal }) : undefined;
    texts.push({ change, before: before?.data.content ?? "" });
  }
  return { proposal, etag, checks, texts };
}

/** What a proposal changes, and merging or closing it. */
export function ProposalScreen({ id }: { id: string }) {
  const [open, setOpen] = useState<Open>();
  const [fault, setFault] = useState<unknown>();
  const [asked, setAsked] = useState(0);
  const [busy, setBusy] = useState(false);
  useTitle(open?.proposal.title ?? "");
  useEffect(() => {
    const ended = new AbortController();
    read(id, ended.signal).then(setOpen, (e: unknown) => ended.signal.aborted || setFault(e));
    return () => ended.abort();
  }, [id, asked]);
  if (!open) return fault ? <ProblemNote problem={fault} retry={() => (setFault(undefined), setAsked(asked + 1))} /> : <p class="loading">{t("loading")}</p>;

  const { proposal, checks, texts } = open;
  const own = proposal.author.id === session.value?.person;
  const ask = async (path: string, method: string, body: unknown) => {
    setBusy(true);
    setFault(undefined);
    try {
      await client.call(`/proposals/${id}${path}`, { method, body, ifMatch: open.etag });
      void loadPages();
    } catch (e) {
      setFault(e);
    } finally {
      setBusy(false);
      setAsked((n) => n + 1); // what was refused may have other reasons by now
    }
  };
  return (
    <div class="page-width proposal">
      <h1>{proposal.title}</h1>
      <p class="row">
        <span class="badge">{t(statusWords[proposal.status])}</span>
        <span class="muted">{t("proposalBy", proposal.author.name)}</span>
        {proposal.status === "open" && may("pages:write") && (
          <button type="button" class="button primary" disabled={busy || checks.some((c) => c.severity === "error")} onClick={() => void ask("/merge", "POST", {})}>
            {t("merge")}
          </button>
        )}
        {proposal.status === "open" && (own || may("pages:write")) && (
          <button type="button" class="button" disabled={busy} onClick={() => void ask("", "PATCH", { status: "closed" })}>
            {t("proposalClose")}
          </button>
        )}
      </p>
      {proposal.description && <p class="proposal-text">{proposal.description}</p>}
      {fault !== undefined && <ProblemNote problem={fault} />}
      {checks.map((c, i) => (
        <p key={i} class={`notice ${c.severity === "error" ? "danger" : "warn"}`}>
          {c.message}
        </p>
      ))}
      {texts.map(({ change, before }) => (
        <section key={change.id}>
          <h2>
            {t(opWords[change.op])}{" "}
            {change.pageId ? <a href={addressOf({ name: "page", id: change.pageId })}>{change.title ?? byId.value.get(change.pageId)?.title ?? change.pageId}</a> : change.title}
          </h2>
          {change.content !== undefined && <Diff a={before} b={change.content} names={{ a: t("presentText"), b: t("proposed") }} unified />}
        </section>
      ))}
    </div>
  );
}
