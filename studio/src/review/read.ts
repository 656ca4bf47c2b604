import type { Change, Check, Person, Proposal, Revision } from "../api/types.ts";
import { orNothing } from "../draft/remote.ts";
import { client } from "../session.ts";

export type Verdict = "approve" | "request-changes" | "comment";

export interface Review {
  id: string;
  verdict: Verdict;
  text: string;
  author: Person;
  createdAt: string;
  counts: boolean;
}

export type Side = "base" | "proposed";

export interface Comment {
  id: string;
  changeId?: string;
  side?: Side;
  line?: number;
  quote?: string;
  text: string;
  suggestion?: string;
  replyTo?: string;
  resolved: boolean;
  removed?: boolean;
  author: Person;
  createdAt: string;
}

/** A proposal, and what is said of it. */
export interface Open {
  proposal: Proposal;
  etag: string;
  checks: Check[];
  reviews: Review[];
  comments: Comment[];
  approvals: number; // that a change of a published page needs
}

export async function readProposal(id: string, signal: AbortSignal): Promise<Open> {
  const [{ data: proposal, etag }, checks, reviews, comments, site] = await Promise.all([
    client.call<Proposal>(`/proposals/${id}`, { signal }),
    client.call<Check[]>(`/proposals/${id}/checks`, { signal }),
    client.call<{ data: Review[] }>(`/proposals/${id}/reviews`, { signal }),
    client.all<Comment>(`/proposals/${id}/comments?limit=100`),
    client.call<{ review: { approvals: number } }>("/site", { signal }),
  ]);
  return { proposal, etag, checks: checks.data, reviews: reviews.data.data, comments, approvals: site.data.review.approvals };
}

/** A change, what its page was when it was made, and the ETag under which it is replaced. */
export interface Texts {
  change: Change;
  etag: string;
  before: Revision | undefined;
}

export async function readChange(proposal: string, id: string, signal?: AbortSignal): Promise<Texts> {
  const o = signal ? { signal } : {};
  const { data: change, etag } = await client.call<Change>(`/proposals/${proposal}/changes/${id}`, o);
  const before = change.pageId && change.baseRevision ? await orNothing(client.call<Revision>(`/pages/${change.pageId}/revisions/${change.baseRevision}?include=frontmatterRaw`, o)) : undefined;
  return { change, etag, before: before?.data }; // without one where the page was deleted meanwhile
}

/** Puts another text in the place of that of a change, against a newer revision where one is named. */
export async function putChange(proposal: string, { change, etag }: Texts, fields: Partial<Change>): Promise<void> {
  const { id, base: _, ...rest } = { ...change, ...fields };
  await client.call(`/proposals/${proposal}/changes/${id}`, { method: "PUT", body: rest, ifMatch: etag });
}

/** The newest revision of a page. */
export async function newest(page: string): Promise<Revision> {
  const all = await client.all<Revision>(`/pages/${page}/revisions?limit=100`);
  return (await client.call<Revision>(`/pages/${page}/revisions/${all.at(-1)!.number}?include=frontmatterRaw`)).data;
}
