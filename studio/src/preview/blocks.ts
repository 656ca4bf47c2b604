/** A block of a rendered text: the line of the source on which it begins, and its HTML. */
export interface Block {
  line: number;
  html: string;
}

/**
 * The blocks of what POST /render answers. Only the server writes such a line: authors
 * cannot set data-line, and "<" is escaped in text. A block keeps the end tag of its
 * element, which a parser passes over; the last one has the footnotes as well.
 */
export function blocksOf(html: string): Block[] {
  const starts = [...html.matchAll(/^<div data-line="(\d+)">\n/gm)];
  let line = 1;
  return starts.map((m, i) => {
    line = Math.max(line, Number(m[1]));
    return { line, html: html.slice(m.index + m[0].length, starts[i + 1]?.index) };
  });
}

/** keep and change go on in both lists, drop in the old one, add in the new one. */
export type Step = "keep" | "change" | "add" | "drop";

/** How a list becomes another one, with as much of it kept as typing leaves. */
export function plan(old: readonly string[], next: readonly string[]): Step[] {
  const steps: Step[] = [];
  const left = count(old);
  const wanted = count(next);
  const take = (from: Map<string, number>, text: string) => from.set(text, from.get(text)! - 1);
  for (let i = 0, j = 0; i < old.length || j < next.length; ) {
    const step = choose(old[i], next[j], left, wanted);
    steps.push(step);
    if (step !== "add") take(left, old[i++]!);
    if (step !== "drop") take(wanted, next[j++]!);
  }
  return steps;
}

function choose(here: string | undefined, coming: string | undefined, left: Map<string, number>, wanted: Map<string, number>): Step {
  if (here === coming) return "keep";
  if (here === undefined) return "add";
  if (coming === undefined) return "drop";
  if (wanted.get(here)) return "add";
  return left.get(coming) ? "drop" : "change";
}

function count(list: readonly string[]): Map<string, number> {
  const n = new Map<string, number>();
  for (const text of list) n.set(text, (n.get(text) ?? 0) + 1);
  return n;
}
