import { diffLines } from "../merge/lines.ts";

export type Mark = "" | "added" | "removed" | "changed";

/**
 * Compares the blocks of two pages, each given as its HTML. Where blocks stand in the
 * place of others these have changed, pair by pair; those over were added or removed.
 */
export function markBlocks(a: readonly string[], b: readonly string[]): { a: Mark[]; b: Mark[] } {
  // Where a block begins in the source says nothing of what it shows.
  const plain = (html: string) => html.replace(/ data-line="\d+"/g, "");
  const marks = { a: a.map((): Mark => ""), b: b.map((): Mark => "") };
  for (const c of diffLines(a.map(plain), b.map(plain))) {
    const pairs = Math.min(c.to - c.from, c.newTo - c.newFrom);
    marks.a.fill("changed", c.from, c.from + pairs).fill("removed", c.from + pairs, c.to);
    marks.b.fill("changed", c.newFrom, c.newFrom + pairs).fill("added", c.newFrom + pairs, c.newTo);
  }
  return marks;
}

/** A member of a page in which two of its states differ. */
export interface FieldChange {
  member: string;
  a: unknown;
  b: unknown;
}

interface State {
  title: string;
  slug?: string | undefined;
  frontmatter?: Record<string, unknown> | undefined;
}

/** The title, slug and keys of the front matter that are not the same. */
export function fieldChanges(a: State, b: State): FieldChange[] {
  const [x, y] = [a.frontmatter ?? {}, b.frontmatter ?? {}];
  const keys = [...new Set([...Object.keys(x), ...Object.keys(y)])].filter((k) => k !== "title" && k !== "slug");
  const all = [
    { member: "title", a: a.title, b: b.title },
    ...(a.slug === undefined || b.slug === undefined ? [] : [{ member: "slug", a: a.slug, b: b.slug }]),
    ...keys.map((k) => ({ member: k, a: x[k], b: y[k] })),
  ];
  return all.filter((c) => JSON.stringify(c.a) !== JSON.stringify(c.b));
}
