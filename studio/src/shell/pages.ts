import { computed, effect, signal } from "@preact/signals";
import { Problem } from "../api/client.ts";
import type { List, Proposal, TreePage } from "../api/types.ts";
import { client, may, session } from "../session.ts";
import { outlineOf, withLevel } from "./outline.ts";

/** All pages in the order of the tree; where there are too many, those that were asked for. */
export const pages = signal<TreePage[]>([]);

export const byId = computed(() => new Map(pages.value.map((p) => [p.id, p])));

export const outline = computed(() => outlineOf(pages.value));

/** What the tree is known to be: not yet, as of now, or as it was before a request failed. */
export const treeState = signal<{ loaded: boolean; levels: boolean; fault: unknown }>({ loaded: false, levels: false, fault: undefined });

const asked = new Map<string, string>(); // levels that were asked for, with the tags of their answers
let whole = ""; // the tag of the tree, where it comes whole
let loading: Promise<void> | undefined;
let again = false;

/** Reads the tree anew. Who wrote something calls it; so does the shell from time to time. */
export function loadPages(): Promise<void> {
  again = true; // an answer that is on its way may be of the time before
  loading ??= (async () => {
    while (again) {
      again = false;
      await load();
    }
  })().finally(() => (loading = undefined));
  return loading;
}

async function load(): Promise<void> {
  try {
    if (!treeState.peek().levels) await loadWhole();
    if (treeState.peek().levels) for (const parent of ["root", ...[...asked.keys()].filter((k) => k !== "root")]) await loadLevel(parent);
    treeState.value = { ...treeState.peek(), loaded: true, fault: undefined };
  } catch (fault) {
    treeState.value = { ...treeState.peek(), fault };
  }
}

async function loadWhole(): Promise<void> {
  try {
    const answer = await client.call<List<TreePage>>("/tree");
    if (whole === "" || answer.etag !== whole) pages.value = answer.data.data;
    whole = answer.etag;
  } catch (e) {
    if (!(e instanceof Problem && e.status === 400)) throw e;
    treeState.value = { ...treeState.peek(), levels: true }; // more pages than one answer holds
  }
}

async function loadLevel(parent: string): Promise<void> {
  const answer = await client.call<List<TreePage>>(`/tree?parentId=${encodeURIComponent(parent)}&depth=1`);
  if (asked.get(parent) === answer.etag && answer.etag !== "") return;
  asked.set(parent, answer.etag);
  const level = answer.data.data;
  if (parent !== "root") {
    pages.value = withLevel(pages.peek(), parent, level);
    return;
  }
  const o = outlineOf(pages.peek());
  pages.value = level.flatMap((p) => {
    const at = o.at.get(p.id);
    return at === undefined ? [p] : [p, ...o.pages.slice(at + 1, o.end[at]!)];
  });
}

/** Loads what lies below a page, where the tree does not come whole. */
export async function loadBelow(id: string): Promise<void> {
  if (!treeState.peek().levels || asked.has(id)) return;
  asked.set(id, "");
  try {
    await loadLevel(id);
  } catch (fault) {
    asked.delete(id);
    treeState.value = { ...treeState.peek(), fault };
  }
}

/** What the person has saved in Studio and not published: changes of pages, and pages to come. */
export const drafts = signal<Proposal[]>([]);

export async function loadDrafts(): Promise<void> {
  const person = session.peek()?.person;
  if (!person || !may("pages:propose")) return;
  const query = new URLSearchParams({ author: person, status: "draft", origin: "studio", limit: "100" });
  try {
    drafts.value = (await client.call<List<Proposal>>(`/proposals?${query}`)).data.data;
  } catch (fault) {
    treeState.value = { ...treeState.peek(), fault };
  }
}

const every = 30_000;

/** Keeps pages and drafts as they are at the server while somebody looks. */
export function keepPages(): () => void {
  const end = new AbortController();
  const look = () => {
    if (document.visibilityState !== "visible" || !session.peek()) return;
    void loadPages();
    void loadDrafts();
  };
  const timer = setInterval(look, every);
  addEventListener("focus", look, { signal: end.signal });
  document.addEventListener("visibilitychange", look, { signal: end.signal });
  const stop = effect(() => {
    if (session.value) look();
  });
  return () => {
    stop();
    clearInterval(timer);
    end.abort();
  };
}
