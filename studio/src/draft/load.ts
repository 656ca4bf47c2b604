import type { Page, Proposal } from "../api/types.ts";
import type { Base, Ports, Record, Server } from "./ports.ts";
import { baseFrom, findDraft, madeBy, orNothing, readDraft, readPage, workAt, type Remote } from "./remote.ts";
import type { Start } from "./saver.ts";
import { blank, fingerprint, same } from "./work.ts";

/** What is opened: a page, or a new one by its draft's proposal or its name on this device. */
export type Place = { page: string } | { draft: string; parent: string | null };

/** Reads a page, the draft that a person has of it, and what this device has of that. */
export async function load(ports: Ports, place: Place): Promise<Start> {
  const { server, journal } = ports;
  let live: Page | null = null;
  let page: string;
  let found: { base: Base; remote: Remote } | undefined;
  let left: Record[];
  const take = (mine: (r: Record) => boolean) => journal.abandoned(mine).catch((): Record[] => []);
  if ("page" in place) {
    page = place.page;
    left = await take((r) => r.page === page);
    const asked = readPage(server, page);
    live = (left[0] ? await orNothing(asked) : await asked)?.data ?? null;
    if (live) found = await findDraft(server, ports.person, live);
    else page = "new:" + ports.unique(); // the page is gone, what was written of it goes on as a new one
  } else {
    const isProposal = place.draft.startsWith("prop_");
    page = "new:" + place.draft;
    left = await take((r) => r.page === page || (isProposal && r.proposal === place.draft));
    page = left[0]?.page ?? page;
    const id = isProposal ? place.draft : left[0]?.proposal;
    const p = id === undefined ? undefined : await orNothing(server.call<Proposal>(`/proposals/${id}`));
    live = (p && (await madeBy(server, p.data))) ?? null;
    if (live) {
      page = live.id;
      found = await findDraft(server, ports.person, live);
    }
    const change = p?.data.changes.find((c) => c.op === "create");
    if (p && change && (p.data.status === "draft" || p.data.status === "open")) found = await readDraft(server, null, p.data, change.id);
  }
  const base = found?.base ?? (live ? baseFrom(live) : { revision: undefined, work: blank("parent" in place ? place.parent : null) });
  const start: Start = { page, live, base, remote: found?.remote ?? null, work: found?.remote.work ?? base.work, unsure: [], post: undefined, taken: [], others: [] };
  const [newest, ...others] = left;
  if (newest) await takeUp(ports, start, newest);
  for (const r of others) (same(r.work, start.work) ? start.taken : start.others).push(r);
  return start;
}

/** Goes on with a text that a tab has left behind, unless somebody went on from another. */
async function takeUp({ server }: Ports, start: Start, r: Record): Promise<void> {
  start.taken.push(r);
  const { live, remote, work: theirs } = start;
  if (same(r.work, theirs)) return;
  start.work = r.work;
  if (!live && !remote) {
    start.base = { revision: undefined, work: blank(r.base.work.parentId) };
    if (r.page === start.page) Object.assign(start, { unsure: r.unsure, post: r.post });
    return;
  }
  const own = r.unsure.includes(fingerprint(theirs));
  const base = live ? await whole(server, live, r.base) : start.base;
  if (remote ? own || r.etag === remote.etag : r.proposal === undefined || same(theirs, base.work)) {
    start.base = base;
    start.unsure = r.unsure;
    if (!remote) start.post = r.post;
  } else if (!own) {
    start.clash = { base: base.work, mine: r.work, theirs, next: { base: start.base, remote } };
    // What is kept until that is resolved has to conflict again.
    start.base = base;
    start.remote = remote && { ...remote, etag: r.etag ?? "" };
  }
}

/** Records leave out the text of a base whose revision is known. */
async function whole(server: Server, live: Page, base: Base): Promise<Base> {
  if (base.revision === undefined) return base;
  const { content } = await workAt(server, live, base.revision);
  return { ...base, work: { ...base.work, content } };
}
