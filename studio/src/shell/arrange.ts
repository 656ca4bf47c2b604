import { signal } from "@preact/signals";
import type { Page, Status } from "../api/types.ts";
import { client } from "../session.ts";
import { t } from "../words.ts";
import { loadPages, outline } from "./pages.ts";
import { fits, standing, tops, type Where } from "./places.ts";

/** The pages that were chosen in the tree, beside the one that has the focus. */
export const chosen = signal<ReadonlySet<string>>(new Set());

/** The pages that are to be put elsewhere. */
export const cut = signal<readonly string[]>([]);

/** What was done last, for whoever cannot see it, and what went wrong. */
export const done = signal("");
export const refused = signal<unknown>(undefined);
export const busy = signal(false);

/** How to take back what was done, the last first. */
const past = signal<readonly { words: string; back: () => Promise<void> }[]>([]);
export const undoable = (): boolean => past.value.length > 0;

export function toggle(id: string, on = !chosen.peek().has(id)): void {
  const next = new Set(chosen.peek());
  if (on) next.add(id);
  else next.delete(id);
  chosen.value = next;
}

export function clear(): void {
  chosen.value = new Set();
  cut.value = [];
}

const put = (id: string, where: Where) => client.call(`/pages/${id}/move`, { method: "POST", body: where });

/** Puts pages somewhere, in their order. */
export function move(ids: readonly string[], where: Where): Promise<boolean> {
  const o = outline.peek();
  const places = tops(o, ids);
  const moved = places.map((i) => ({ id: o.pages[i]!.id, from: standing(o, i) }));
  if (moved.length === 0 || !fits(o, moved.map((m) => m.id), where)) return Promise.resolve(false);
  return act(t(moved.length === 1 ? "movedOne" : "moved", moved.length), async (took) => {
    let at = where;
    for (const m of moved) {
      await put(m.id, at);
      took(() => put(m.id, m.from));
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

type Front = Record<string, unknown>;

/** Adds tags to the front matter of pages. */
export const tag = (ids: readonly string[], tags: readonly string[]): Promise<boolean> =>
  act(t("tagged", ids.length), async (took) => {
    const found: { id: string; before: Front; after: Front }[] = [];
    for (const id of ids) {
      const before = (await client.call<Page>(`/pages/${id}`)).data.frontmatter ?? {};
      const has = Array.isArray(before["tags"]) ? (before["tags"] as string[]) : [];
      found.push({ id, before, after: { ...before, tags: [...new Set([...has, ...tags])] } });
    }
    await writeFronts(found.map(({ id, after }) => [id, after]));
    took(() => writeFronts(found.map(({ id, before }) => [id, before])));
  });

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

/** Deletes pages with all that lies below them. */
export function remove(ids: readonly string[]): Promise<boolean> {
  const o = outline.peek();
  const places = tops(o, ids);
  return act(t("deletedPages", places.length), async (took) => {
    for (const i of places) {
      const gone = o.pages.slice(i, o.end[i]).map((p) => p.id);
      await client.call(`/pages/${gone[0]}?children=cascade`, { method: "DELETE" });
      took(async () => {
        for (const id of gone) await client.call(`/pages/${id}/restore`, { method: "POST" });
      });
    }
  });
}

/** Takes back what was done last. */
export async function undo(): Promise<boolean> {
  const last = past.peek().at(-1);
  if (!last) return false;
  return act(t("undone", last.words), async () => {
    await last.back();
    past.value = past.peek().slice(0, -1);
  });
}

const most = 50; // steps that can be taken back

type Took = (back: () => Promise<unknown>) => void;

/** Does something to pages, one after the other. What was done before a refusal can be taken back, too. */
async function act(words: string, what: (took: Took) => Promise<void>): Promise<boolean> {
  if (busy.peek()) return false;
  busy.value = true;
  refused.value = undefined;
  done.value = "";
  const steps: (() => Promise<unknown>)[] = [];
  try {
    await what((back) => steps.push(back));
    done.value = words;
    clear();
    return true;
  } catch (e) {
    refused.value = e;
    return false;
  } finally {
    if (steps.length > 0) {
      const back = async () => {
        for (const step of steps.splice(0).reverse()) await step();
      };
      past.value = [...past.peek(), { words, back }].slice(-most);
    }
    await loadPages();
    busy.value = false;
  }
}

function pagesOf(ids: readonly string[]) {
  const o = outline.peek();
  return ids.flatMap((id) => o.pages[o.at.get(id) ?? -1] ?? []);
}
