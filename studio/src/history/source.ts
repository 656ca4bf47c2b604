import { Problem } from "../api/client.ts";
import type { List, Page, Revision } from "../api/types.ts";
import { client } from "../session.ts";

/** A revision with all that it says. */
export interface FullRevision extends Revision {
  content: string;
  frontmatter?: Record<string, unknown>;
  frontmatterRaw?: string;
}

/** One of two states of a page that are compared. */
export interface State {
  title: string;
  slug?: string | undefined;
  content: string;
  frontmatter?: Record<string, unknown> | undefined;
}

/** What a person compares with: a revision by its number, the page as it is, or their draft of it. */
export type Choice = number | "present" | "draft";

/** The page with all its revisions, the newest first; or, where it was deleted, what is left of it. */
export type Past = { page: Page; revisions: Revision[] } | { deleted: Page & { deletedAt: string } };

const enough = 100; // elements of a slice

/** Goes through a list, slice by slice, until take has what it wants. */
async function each<T>(path: string, signal: AbortSignal, take: (slice: T[]) => boolean | void): Promise<void> {
  const sign = path.includes("?") ? "&" : "?";
  for (let cursor = ""; ; ) {
    const { data } = await client.call<List<T>>(`${path}${sign}limit=${enough}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`, { signal });
    cursor = data.pagination?.cursor ?? "";
    if (take(data.data) || !cursor) return;
  }
}

export async function readPast(id: string, mayWrite: boolean, signal: AbortSignal): Promise<Past> {
  try {
    const { data: page } = await client.call<Page>(`/pages/${id}`, { signal });
    const revisions: Revision[] = []; // the server lists the oldest first
    await each<Revision>(`/pages/${id}/revisions`, signal, (slice) => void revisions.push(...slice));
    return { page, revisions: revisions.reverse() };
  } catch (e) {
    if (!mayWrite || !(e instanceof Problem) || e.status !== 404) throw e;
    let deleted: (Page & { deletedAt: string }) | undefined;
    await each<Page & { deletedAt: string }>("/pages?deleted=true", signal, (slice) => (deleted = slice.find((p) => p.id === id)) !== undefined);
    if (!deleted) throw e;
    return { deleted };
  }
}

export async function readRevision(id: string, number: number, signal: AbortSignal): Promise<FullRevision> {
  return (await client.call<FullRevision>(`/pages/${id}/revisions/${number}?include=frontmatterRaw`, { signal })).data;
}
