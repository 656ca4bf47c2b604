export type Side = "base" | "mine" | "theirs";

// A small generator (mulberry32), so that each run has the same cases.
export function random(seed: number) {
  return (below: number) => {
    seed = (seed + 0x6d2b79f5) | 0;
    let n = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    n = (n + Math.imul(n ^ (n >>> 7), 61 | n)) ^ n;
    return ((n ^ (n >>> 14)) >>> 0) % below;
  };
}

/** Three texts of few different lines, so that what was changed is not always plain. */
export function three(r: (below: number) => number): Record<Side, string> {
  const words = [4, 20, 1000][r(3)]!;
  const end = r(8) === 0 ? "\r\n" : "\n";
  const line = () => (r(4) === 0 ? "" : `line ${r(words)}`);
  const edited = (lines: string[]) => {
    const list = [...lines];
    for (let n = 1 + r(4); n > 0; n--) list.splice(r(list.length + 1), r(4), ...Array.from({ length: r(4) }, line));
    return list;
  };
  const text = (lines: string[]) => lines.join(end) + (lines.length && r(8) ? end : "");
  const lines = Array.from({ length: r(50) }, line);
  return { base: text(lines), mine: text(edited(lines)), theirs: text(edited(lines)) };
}
