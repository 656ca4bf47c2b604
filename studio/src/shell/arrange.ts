import { effect, signal } from "@preact/signals";
import { Problem } from "../api/client.ts";
import type { Page, Status } from "../api/types.ts";
import { client } from "../session.ts";
import { t } from "../words.ts";
import { loadPages, outline } from "./pages.ts";
import { fits, standing, tops, type Where } from "./places.ts";
import { type Front, type Tag, tagsOf } from "./tags.ts";

/** The pages that were chosen in the tree, beside the one that has the focus. */
export const chosen = signal<ReadonlySet<string>>(new Set());

/** The pages that are to be put elsewhere. */
export const cut = signal<readonly string[]>([]);

/** What is gone meanwhile is neither chosen nor cut any more. */
effect(() => {
  const { at } = outline.value;
  const there = (id: string) => at.has(id);
  if (![...chosen.peek()].every(there)) chosen.value = new Set([...chosen.peek()].filter(there));
  if (!cut.peek().every(there)) cut.value = cut.peek().filter(there);
});

/** What was done last, for whoever cannot see it, and what went wrong. */
export const done = signal("");
export const refused = signal<unknown>(undefined);
export const busy = signal(false);

/** How to take back what was done, the last first. */
const past = signal<readonly { words: string; back: () => Promise<void> }[]>([]);
export const undoable = (): boolean => past.value.length > 0;

/** Where a range of chosen pages begins, what was chosen besides, and the page at which it ends. */
let chain: { from: string; beside: ReadonlySet<string>; to: string } | undefined;

export function toggle(id: string): void {
  const next = new Set(chosen.peek());
  if (!next.delete(id)) next.add(id);
  chosen.value = next;
  chain = { from: id, beside: next, to: id };
}

/**
 * Chooses the pages of some rows from where choosing began to one of them, and no longer
 * those that were beyond it. With step the range is the one that ends at the page at.
 */
export function chooseTo(rows: readonly string[], at: string, to: string, step: boolean): void {
  if (!chain || (step && chain.to !== at) || !rows.includes(chain.from)) chain = { from: at, beside: chosen.peek(), to: at };
  const ends = [rows.indexOf(chain.from), rows.indexOf(to)].sort((a, b) => a - b) as [number, number];
  chain.to = to;
  chosen.value = new Set([...chain.beside, ...rows.slice(ends[0], ends[1] + 1)]);
}

export function clear(): void {
  chosen.value = new Set();
  chain = undefined;
  cut.value = [];
}

const put = (id: string, where: Where) => client.call(`/pages/${id}/move`, { method: "POST", body: where });

/** Puts a page back where it stood, at the end where the one behind it is gone. */
async function putBack(id: string, { parentId, before }: Where): Promise<void> {
  try {
    await put(id, { parentId, ...(before && { before }) });
  } catch (e) {
    if (!before || !(e instanceof Problem) || e.status >= 500) throw e;
    await put(id, { parentId });
  }
}

/** Puts pages somewhere, in their order. */
export function move(ids: readonly string[], where: Where): Promise<boolean> {
  const o = outline.peek();
  const places = tops(o, ids);
  const moved = places.map((i) => ({ id: o.pages[i]!.id, from: standing(o, i) }));
  if (moved.length === 0 || !fits(o, moved.map((m) => m.id), where)) {
    done.value = t("cannotMove");
    cut.value = cut.peek().filter((id) => o.at.has(id));
    return Promise.resolve(false);
  }
  return act(t(moved.length === 1 ? "movedOne" : "moved", moved.length), async (took) => {
    let at = where;
    for (const m of moved) {
      await put(m.id, at);
      took(() => putBack(m.id, m.from));
      if (at.after) at = { parentId: where.parentId, after: m.id };
    }
  });
}

/** Gives pages another status. */
export const setStatus = (ids: readonly string[], status: Status): Promise<boolean> =>
  act(t("statusSet", ids.length), async (took) => {
    for (const page of pagesOf(ids)) {
      if (page.status === status) continue;
      await client.call(`/pages/${page.id}`, { method: "PATCH", body: { status } });
      took(() => client.call(`/pages/${page.id}`, { method: "PATCH", body: { status: page.status } }));
    }
  });

/** Adds tags to the front matter of pages. */
export const tag = (ids: readonly string[], tags: readonly string[]): Promise<boolean> =>
  act(t("tagged", ids.length), async (took) => {
    const added = new Map<string, string[]>();
    await changeTags(ids, (id, before) => {
      added.set(id, tags.filter((tag) => !before.some((b) => b.name === tag)));
      return [...before, ...added.get(id)!.map((tag) => ({ name: tag, as: tag }))];
    });
    took(() => changeTags(ids, (id, now) => now.filter((tag) => !added.get(id)!.includes(tag.name))));
  });

/** Gives each page the tags that change makes of those that it has now. */
async function changeTags(ids: readonly string[], change: (id: string, tags: Tag[]) => Tag[]): Promise<void> {
  const fronts: [string, Front][] = [];
  for (const id of ids) {
    const front = (await client.call<Page>(`/pages/${id}`)).data.frontmatter ?? {};
    const { key, tags } = tagsOf(front);
    const next = change(id, tags);
    const { [key]: _, ...rest } = front;
    if (next.length !== tags.length) fronts.push([id, next.length > 0 ? { ...front, [key]: next.map((tag) => tag.as) } : rest]);
  }
  if (fronts.length > 0) await writeFronts(fronts);
}

/** Writes front matter of pages at once. A merge leaves alone the lines of other keys. */
async function writeFronts(fronts: [string, Front][]): Promise<void> {
  const changes = fronts.map(([pageId, frontmatter]) => ({ op: "update", pageId, frontmatter }));
  const { data, etag } = await client.call<{ id: string }>("/proposals", { method: "POST", body: { title: t("addTags"), status: "draft", changes } });
  try {
    await client.call(`/proposals/${data.id}/merge`, { method: "POST", body: {}, ifMatch: etag });
  } catch (e) {
    await client.call(`/proposals/${data.id}`, { method: "DELETE" });
    throw e;
  }
}

/** How often pages were deleted here: the focus then goes on in the tree. */
export const deletions = signal(0);

/** Deletes pages with all that lies below them. */
export function remove(ids: readonly string[]): Promise<boolean> {
  const o = outline.peek();
  const places = tops(o, ids);
  return act(t("deletedPages", places.length), async (took) => {
    for (const i of places) {
      const { id } = o.pages[i]!;
      await client.call(`/pages/${id}?children=cascade`, { method: "DELETE" });
      took(() => restore(id));
    }
  }).finally(() => deletions.value++);
}

/** Restores a page and all that was deleted with it, parents first. */
async function restore(id: string): Promise<void> {
  const all = await client.all<Page & { deletedAt: string }>("/pages?deleted=true&limit=100");
  const at = all.find((p) => p.id === id)?.deletedAt;
  const left = new Map(all.filter((p) => p.deletedAt === at && p.id !== id).map((p) => [p.id, p]));
  await client.call(`/pages/${id}/restore`, { method: "POST" });
  for (const parents = [id]; parents.length > 0; ) {
    const parent = parents.shift();
    for (const p of [...left.values()].filter((p) => p.parentId === parent)) {
      left.delete(p.id);
      await client.call(`/pages/${p.id}/restore`, { method: "POST" });
      parents.push(p.id);
    }
  }
}

/** Takes back what was done last. */
export async function undo(): Promise<boolean> {
  if (!undoable()) return false;
  return act("", async () => {
    const step = past.peek().at(-1); // which it is by the time that others are done
    if (!step) return;
    await step.back();
    past.value = past.peek().slice(0, -1);
    return t("undone", step.words);
  });
}

const most = 50; // steps that can be taken back

type Took = (back: () => Promise<unknown>) => void;
type What = (took: Took) => Promise<string | void>; // may have other words for what was done

let last: Promise<unknown> = Promise.resolve();

/** Does something to pages, one act after the other. What was done before a refusal can be taken back, too. */
function act(words: string, what: What): Promise<boolean> {
  const next = last.then(() => doing(words, what));
  last = next;
  return next;
}

async function doing(words: string, what: What): Promise<boolean> {
  busy.value = true;
  refused.value = undefined;
  done.value = "";
  const steps: (() => Promise<unknown>)[] = [];
  try {
    done.value = (await what((back) => steps.push(back))) ?? words;
    clear();
    return true;
  } catch (e) {
    refused.value = e;
    return false;
  } finally {
    if (steps.length > 0) past.value = [...past.peek(), { words, back: () => takeBack(steps) }].slice(-most);
    await loadPages();
    busy.value = false;
  }
}

/** Takes steps back, the last first. A page that is gone by now needs nothing. */
async function takeBack(steps: (() => Promise<unknown>)[]): Promise<void> {
  for (let step; (step = steps.at(-1)); steps.pop()) {
    try {
      await step();
    } catch (e) {
      if (!(e instanceof Problem && e.status === 404)) throw e;
    }
  }
}

function pagesOf(ids: readonly string[]) {
  const o = outline.peek();
  return ids.flatMap((id) => o.pages[o.at.get(id) ?? -1] ?? []);
}
