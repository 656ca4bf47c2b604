import type { Outline } from "./outline.ts";

/** Where a page goes: below a parent, at its end or beside another. */
export interface Where {
  parentId: string | null;
  before?: string;
  after?: string;
}

/** Those of some pages that lie below none of the others, in the order of the tree. */
export function tops(o: Outline, ids: Iterable<string>): number[] {
  const all = new Set([...ids].flatMap((id) => o.at.get(id) ?? []));
  const under = (i: number) => {
    for (let p = o.parent[i]!; p >= 0; p = o.parent[p]!) if (all.has(p)) return true;
    return false;
  };
  return [...all].filter((i) => !under(i)).sort((a, b) => a - b);
}

/** Where a page stands, so that it can come back: before the next, or last. */
export function standing(o: Outline, i: number): Where {
  const next = o.end[i]!;
  const parentId = o.pages[i]!.parentId;
  return next < o.pages.length && o.parent[next] === o.parent[i] ? { parentId, before: o.pages[next]!.id } : { parentId };
}

/** Whether pages may go somewhere: nothing goes below itself. */
export function fits(o: Outline, ids: readonly string[], where: Where): boolean {
  if (ids.includes(where.before ?? "") || ids.includes(where.after ?? "")) return false;
  for (let i = where.parentId === null ? -1 : (o.at.get(where.parentId) ?? -1); i >= 0; i = o.parent[i]!) if (ids.includes(o.pages[i]!.id)) return false;
  return true;
}

/** Where Alt and an arrow take a page: up, down, out of its parent, or into the page above. */
export function stepOf(o: Outline, i: number, key: string): Where | undefined {
  const { id, parentId } = o.pages[i]!;
  const next = o.end[i]!;
  let before = -1; // the sibling above
  for (let p = o.parent[i]! + 1; p < i; p = o.end[p]!) before = p;
  switch (key) {
    case "ArrowUp":
      return before < 0 ? undefined : { parentId, before: o.pages[before]!.id };
    case "ArrowDown":
      return next < o.pages.length && o.parent[next] === o.parent[i] && o.pages[next]!.id !== id ? { parentId, after: o.pages[next]!.id } : undefined;
    case "ArrowRight":
      return before < 0 ? undefined : { parentId: o.pages[before]!.id };
    case "ArrowLeft": {
      const parent = o.parent[i]!;
      return parent < 0 ? undefined : { parentId: o.pages[parent]!.parentId, after: o.pages[parent]!.id };
    }
  }
  return undefined;
}
