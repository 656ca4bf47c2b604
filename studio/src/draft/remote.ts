import { Problem, type Answer } from "../api/client.ts";
import type { Change, Page, Proposal, Revision } from "../api/types.ts";
import type { Base, Server } from "./ports.ts";
import { blank, drafted, workOf, type Work } from "./work.ts";

/** A draft as the server has it. */
export interface Remote {
  proposal: string;
  change: string;
  etag: string; // of the change
  revision: number | undefined; // that the change is made against
  work: Work;
  at: string;
}

export const changePath = (r: { proposal: string; change: string }): string => `/proposals/${r.proposal}/changes/${r.change}`;

export const isProblem = (e: unknown, ...status: number[]): e is Problem => e instanceof Problem && status.includes(e.status);

/** Runs what finds nothing where the answer is 404. */
export async function orNothing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (e) {
    if (isProblem(e, 404)) return undefined;
    throw e;
  }
}

/** The page as it was at a revision. What revisions do not have is that of the page. */
export async function workAt(server: Server, live: Page, number: number): Promise<Work> {
  const { data } = await server.call<Revision>(`/pages/${live.id}/revisions/${number}`);
  return { ...workOf(live), title: data.title, slug: data.slug, content: data.content ?? "" };
}

/** What a draft of the page is made against. */
export async function baseOf(server: Server, live: Page | null, change: Change): Promise<Base> {
  if (!live || change.baseRevision === undefined) return { revision: undefined, work: blank(null) };
  const work = await workAt(server, live, change.baseRevision);
  const { status, parentId } = change.base ?? work;
  return { revision: change.baseRevision, work: { ...work, status, parentId } };
}

/** Reads a draft whose proposal is known. */
export async function readDraft(server: Server, live: Page | null, p: Pick<Proposal, "id" | "updatedAt">, change: string): Promise<{ base: Base; remote: Remote } | undefined> {
  const found = await orNothing(server.call<Change>(changePath({ proposal: p.id, change })));
  if (!found) return undefined;
  const base = await baseOf(server, live, found.data);
  const remote = { proposal: p.id, change, etag: found.etag, revision: base.revision, work: drafted(base.work, found.data), at: p.updatedAt };
  return { base, remote };
}

/** A page, and the draft that a person has of it. */
export interface Found {
  live: Page;
  draft: { base: Base; remote: Remote } | undefined;
}

/** Reads a page after its drafts: what was merged meanwhile is in the page then. */
export async function readBoth(server: Server, person: string, page: string): Promise<Found> {
  const query = new URLSearchParams({ pageId: page, origin: "studio", status: "draft", author: person });
  const drafts = await server.all<Proposal>(`/proposals?${query}`);
  const { data: live } = await readPage(server, page);
  for (const p of drafts) {
    const change = p.changes.find((c) => c.pageId === page && c.op === "update");
    const draft = change && (await readDraft(server, live, p, change.id));
    if (draft) return { live, draft };
  }
  return { live, draft: undefined };
}

export const readPage = (server: Server, id: string): Promise<Answer<Page>> => server.call<Page>(`/pages/${id}`);

const frontOf = (p: Pick<Page, "frontmatter">): string => JSON.stringify(p.frontmatter ?? {});

/** What is written from a page as it stands. */
export const baseFrom = (p: Page, revision?: number): Base => ({ revision, work: workOf(p), front: frontOf(p) });

/** Finds the number of the revision that has these texts, the newest one that has. */
export async function revisionOf(server: Server, page: string, { work, front }: Base): Promise<number | undefined> {
  const list = await server.all<Revision & Pick<Page, "frontmatter">>(`/pages/${page}/revisions?limit=100`);
  for (const r of list.reverse()) {
    if (r.title !== work.title || r.slug !== work.slug || (front ?? frontOf(r)) !== frontOf(r)) continue;
    const { data } = await server.call<Revision>(`/pages/${page}/revisions/${r.number}`);
    if (data.content === work.content) return r.number;
  }
  return undefined;
}

/** The page that a proposal made, once it was merged. */
export async function madeBy(server: Server, p: Proposal): Promise<Page | undefined> {
  const slug = p.status === "merged" ? p.changes.find((c) => c.op === "create")?.slug : undefined;
  return slug === undefined ? undefined : (await orNothing(server.call<Page>(`/pages/by-slug/${encodeURIComponent(slug)}`)))?.data;
}
