import type { TreePage } from "../api/types.ts";

/** Where pages stand, by their places in the list of all pages in the order of the tree. */
export interface Outline {
  pages: readonly TreePage[];
  at: Map<string, number>;
  parent: Int32Array; // −1 at the top
  level: Int32Array; // from 1
  end: Int32Array; // the place after the last page below
  place: Int32Array; // among its siblings, from 1
  siblings: Int32Array; // how many there are, with itself
}

/** The list has each page before what lies below it, as the server gives it. */
export function outlineOf(pages: readonly TreePage[]): Outline {
  const n = pages.length;
  const o: Outline = {
    pages,
    at: new Map(),
    parent: new Int32Array(n),
    level: new Int32Array(n),
    end: new Int32Array(n).fill(n),
    place: new Int32Array(n),
    siblings: new Int32Array(n),
  };
  const below = new Int32Array(n + 1); // children seen so far; the last is the top
  const open: number[] = [];
  for (let i = 0; i < n; i++) {
    const page = pages[i]!;
    o.at.set(page.id, i);
    const parent = page.parentId === null ? -1 : (o.at.get(page.parentId) ?? -1);
    while (open.length > 0 && open[open.length - 1] !== parent) o.end[open.pop()!] = i;
    o.parent[i] = parent;
    open.push(i);
    o.level[i] = open.length;
    o.place[i] = ++below[parent < 0 ? n : parent]!;
  }
  for (let i = 0; i < n; i++) o.siblings[i] = below[o.parent[i]! < 0 ? n : o.parent[i]!]!;
  return o;
}

/** The places of the pages that are shown: those whose ancestors are all open. */
export function rowsOf(o: Outline, open: ReadonlySet<string>): number[] {
  const rows: number[] = [];
  for (let i = 0; i < o.pages.length; ) {
    rows.push(i);
    i = open.has(o.pages[i]!.id) ? i + 1 : o.end[i]!;
  }
  return rows;
}

export function ancestors(o: Outline, id: string): string[] {
  const found: string[] = [];
  const at = o.at.get(id);
  for (let i = at === undefined ? -1 : o.parent[at]!; i >= 0; i = o.parent[i]!) found.push(o.pages[i]!.id);
  return found;
}

/** Puts a level that came by itself below its parent, in place of what was there. */
export function withLevel(pages: readonly TreePage[], parent: string, level: readonly TreePage[]): TreePage[] {
  const o = outlineOf(pages);
  const at = o.at.get(parent);
  if (at === undefined) return [...pages];
  const kept = new Map<string, TreePage[]>(); // what is known below pages of that level
  for (let i = at + 1; i < o.end[at]!; i = o.end[i]!) kept.set(pages[i]!.id, pages.slice(i + 1, o.end[i]!));
  return [...pages.slice(0, at + 1), ...level.flatMap((p) => [p, ...(kept.get(p.id) ?? [])]), ...pages.slice(o.end[at]!)];
}

export type Step = { to: number } | { open: string[] } | { close: string } | { enter: number } | undefined;

/**
 * What a key does in the tree: `rows` are shown, `row` of them has the focus. Typed holds
 * the letters that were typed in a row, this one included.
 */
export function step(o: Outline, rows: readonly number[], row: number, open: ReadonlySet<string>, key: string, typed: string): Step {
  const i = rows[row];
  if (i === undefined) return undefined;
  const page = o.pages[i]!;
  const isOpen = page.children > 0 && open.has(page.id);
  switch (key) {
    case "ArrowDown":
      return { to: Math.min(row + 1, rows.length - 1) };
    case "ArrowUp":
      return { to: Math.max(row - 1, 0) };
    case "Home":
      return { to: 0 };
    case "End":
      return { to: rows.length - 1 };
    case "ArrowRight":
      if (page.children === 0) return undefined;
      if (!isOpen) return { open: [page.id] };
      return o.parent[rows[row + 1] ?? -1] === i ? { to: row + 1 } : undefined;
    case "ArrowLeft":
      if (isOpen) return { close: page.id };
      return o.parent[i]! >= 0 ? { to: rows.indexOf(o.parent[i]!) } : undefined;
    case "Enter":
    case " ":
      return { enter: i };
    case "*":
      return { open: rows.filter((r) => o.parent[r] === o.parent[i] && o.pages[r]!.children > 0).map((r) => o.pages[r]!.id) };
  }
  if (typed === "") return undefined;
  // The same letter again goes on to the next; further letters narrow down from here.
  const again = [...typed].every((c) => c === typed[0]);
  const wanted = (again ? typed[0]! : typed).toLocaleLowerCase();
  const first = again ? row + 1 : row;
  for (let n = 0; n < rows.length; n++) {
    const r = (first + n) % rows.length;
    if (o.pages[rows[r]!]!.title.toLocaleLowerCase().startsWith(wanted)) return { to: r };
  }
  return undefined;
}
