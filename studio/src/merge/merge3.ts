import { type Change, diffLines, linesOf } from "./lines.ts";

/** A stretch of whole lines, and who has changed it. */
export interface Clean {
  by: "none" | "mine" | "theirs" | "both";
  text: string;
}

/** Lines that both have changed in different ways, or such that touch. */
export interface Clash {
  by: "clash";
  base: string;
  mine: string;
  theirs: string;
}

/**
 * Merges two texts that were made of base, by lines, as merge-file of Git does. Lines are
 * compared byte for byte with their ends; no line is dropped or invented.
 */
export function merge3(base: string, mine: string, theirs: string): (Clean | Clash)[] {
  const [b, m, t] = [linesOf(base), linesOf(mine), linesOf(theirs)];
  const byMe = diffLines(b, m);
  const byThem = diffLines(b, t);
  const parts: (Clean | Clash)[] = [];
  let i = 0, k = 0; // changes that were gone through
  let at = 0; // lines of base that were gone through
  let mineBy = 0, theirsBy = 0; // how far lines of base are moved in each text
  const keep = (to: number) => {
    if (to > at) parts.push({ by: "none", text: b.slice(at, to).join("") });
  };
  while (i < byMe.length || k < byThem.length) {
    const [x, y] = [byMe[i], byThem[k]];
    if (x && (!y || x.to < y.from)) {
      keep(x.from);
      parts.push({ by: "mine", text: m.slice(x.newFrom, x.newTo).join("") });
      [at, mineBy, i] = [x.to, x.newTo - x.to, i + 1];
    } else if (y && (!x || y.to < x.from)) {
      keep(y.from);
      parts.push({ by: "theirs", text: t.slice(y.newFrom, y.newTo).join("") });
      [at, theirsBy, k] = [y.to, y.newTo - y.to, k + 1];
    } else {
      const from = Math.min(x!.from, y!.from);
      const [mineFrom, theirsFrom] = [from + mineBy, from + theirsBy];
      let to = from;
      const touches = (c: Change | undefined): c is Change => c !== undefined && c.from <= to;
      for (let c: Change | undefined; touches((c = byMe[i])) || touches((c = byThem[k])); to = Math.max(to, c.to)) {
        if (c === byMe[i]) [mineBy, i] = [c.newTo - c.to, i + 1];
        else [theirsBy, k] = [c.newTo - c.to, k + 1];
      }
      keep(from);
      const ours = m.slice(mineFrom, to + mineBy).join("");
      const other = t.slice(theirsFrom, to + theirsBy).join("");
      if (ours === other) parts.push({ by: "both", text: ours });
      else parts.push({ by: "clash", base: b.slice(from, to).join(""), mine: ours, theirs: other });
      at = to;
    }
  }
  keep(b.length);
  return parts;
}

/** Mine, and theirs behind it on lines of their own. */
export function takeBoth(mine: string, theirs: string): string {
  if (mine === "" || theirs === "" || mine.endsWith("\n")) return mine + theirs;
  return mine + (theirs.includes("\r\n") ? "\r\n" : "\n") + theirs;
}
