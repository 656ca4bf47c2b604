/** A change replaces lines of one text by lines of another. Lines count from 0, and ranges end before their to. */
export interface Change {
  from: number;
  to: number;
  newFrom: number;
  newTo: number;
}

/** The lines of a text, each with its end. A carriage return is part of its line. */
export const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** What makes b of a, in order. No two changes touch. */
export function diffLines(a: readonly string[], b: readonly string[]): Change[] {
  const known = new Map<string, number>();
  const number = (line: string) => {
    let n = known.get(line);
    if (n === undefined) known.set(line, (n = known.size));
    return n;
  };
  return diffNumbers(a.map(number), b.map(number));
}

function diffNumbers(a: number[], b: number[]): Change[] {
  const gone: boolean[] = [];
  const come: boolean[] = [];
  const inBoth = [shared(a, b, gone), shared(b, a, come)] as const;
  new Differ(inBoth[0], inBoth[1], gone, come).compare(0, inBoth[0].lines.length, 0, inBoth[1].lines.length);
  slide(a, gone, come);
  slide(b, come, gone);
  return changes(gone, come);
}

interface Shared {
  lines: number[];
  places: number[];
}

/** The lines that the other text has too, and their places. All others have changed. */
function shared(lines: number[], other: number[], changed: boolean[]): Shared {
  const has = new Set(other);
  const found: Shared = { lines: [], places: [] };
  lines.forEach((line, i) => {
    changed[i] = !has.has(line);
    if (changed[i]) return;
    found.lines.push(line);
    found.places.push(i);
  });
  return found;
}

// All searches of two texts together take about so many steps. Beyond that they take the
// way that has come furthest: the longer two texts are that share little, the coarser.
const maxSteps = 10_000_000;
const minPatience = 16;

/** Myers' algorithm in linear space ("An O(ND) Difference Algorithm and Its Variations", 1986). */
class Differ {
  private readonly a: Int32Array;
  private readonly b: Int32Array;
  private readonly forward: Int32Array;
  private readonly backward: Int32Array;
  private readonly patience: number;

  constructor(
    private readonly first: Shared,
    private readonly second: Shared,
    private readonly gone: boolean[],
    private readonly come: boolean[],
  ) {
    this.a = Int32Array.from(first.lines);
    this.b = Int32Array.from(second.lines);
    const n = this.a.length + this.b.length;
    this.forward = new Int32Array(n + 3);
    this.backward = new Int32Array(n + 3);
    this.patience = Math.max(minPatience, Math.floor(maxSteps / Math.max(n, 1)));
  }

  /** Compares a[i:j] with b[k:l]. */
  compare(i: number, j: number, k: number, l: number): void {
    const { a, b } = this;
    while (i < j && k < l && a[i] === b[k]) (i++, k++);
    while (i < j && k < l && a[j - 1] === b[l - 1]) (j--, l--);
    if (i === j) {
      for (; k < l; k++) this.come[this.second.places[k]!] = true;
    } else if (k === l) {
      for (; i < j; i++) this.gone[this.first.places[i]!] = true;
    } else {
      const [x, y] = this.middle(i, j, k, l);
      this.compare(i, x, k, y);
      this.compare(x, j, y, l);
    }
  }

  /** A point about in the middle of a shortest way from (i, k) to (j, l), from both ends. */
  private middle(i: number, j: number, k: number, l: number): [number, number] {
    const { a, b, forward: f, backward: r } = this;
    // Ways are kept by their diagonal x-y.
    const low = i - l;
    const high = j - k;
    const at = 1 - low;
    const odd = (i - k - j + l) % 2 !== 0;
    let fmin = i - k, fmax = fmin;
    let rmin = j - l, rmax = rmin;
    f[at + fmin] = i;
    r[at + rmin] = j;
    for (let cost = 1; ; cost++) {
      [fmin, fmax] = widen(f, at, fmin, fmax, low, high, -1);
      for (let d = fmax; d >= fmin; d -= 2) {
        let x = Math.max(f[at + d + 1]!, f[at + d - 1]! + 1);
        while (x < j && x - d < l && a[x] === b[x - d]) x++;
        f[at + d] = x;
        if (odd && rmin <= d && d <= rmax && r[at + d]! <= x) return [x, x - d];
      }
      [rmin, rmax] = widen(r, at, rmin, rmax, low, high, j + l + 2);
      for (let d = rmax; d >= rmin; d -= 2) {
        let x = Math.min(r[at + d - 1]!, r[at + d + 1]! - 1);
        while (x > i && x - d > k && a[x - 1] === b[x - d - 1]) x--;
        r[at + d] = x;
        if (!odd && fmin <= d && d <= fmax && x <= f[at + d]!) return [x, x - d];
      }
      if (cost === this.patience) return furthest(f, at, fmin, fmax, j, l);
    }
  }
}

/** Makes room for one more difference: one diagonal more on each side, within the texts. */
function widen(ways: Int32Array, at: number, from: number, to: number, low: number, high: number, none: number): [number, number] {
  if (from > low) ways[at + --from - 1] = none;
  else from++;
  if (to < high) ways[at + ++to + 1] = none;
  else to--;
  return [from, to];
}

/** The end of the way forward that has come furthest. */
function furthest(f: Int32Array, at: number, from: number, to: number, j: number, l: number): [number, number] {
  let best = -1;
  let end: [number, number] = [0, 0];
  for (let d = from; d <= to; d += 2) {
    const x = Math.min(f[at + d]!, j, l + d);
    if (2 * x - d > best) [best, end] = [2 * x - d, [x, x - d]];
  }
  return end;
}

/**
 * Moves each run of changed lines down as far as it goes, or back up to where the other
 * text has changed lines too: of "a b a" the second "a b" or "b a" may be what was added.
 * Runs that meet become one.
 */
function slide(lines: number[], changed: boolean[], other: boolean[]): void {
  const opposite = runs(other);
  let start = 0, end = 0;
  let kept = 0; // how many lines before the run both texts have
  const up = () => {
    if (start === 0 || lines[start - 1] !== lines[end - 1]) return false;
    (start--, end--, kept--);
    changed[start] = true;
    changed[end] = false;
    while (start > 0 && changed[start - 1]) start--;
    return true;
  };
  const down = () => {
    if (end === lines.length || lines[start] !== lines[end]) return false;
    changed[start] = false;
    changed[end] = true;
    (start++, end++, kept++);
    while (end < lines.length && changed[end]) end++;
    return true;
  };
  for (;;) {
    for (start = end; start < lines.length && !changed[start]; start++) kept++;
    if (start >= lines.length) return;
    for (end = start; end < lines.length && changed[end]; ) end++;
    let first = end;
    let meets = false;
    for (let size = -1; size !== end - start; ) {
      size = end - start;
      while (up());
      [first, meets] = [end, opposite[kept]!];
      while (down()) meets ||= opposite[kept]!;
    }
    if (end !== first && meets) while (!opposite[kept]) up();
  }
}

/** For each line that both texts have, in order, whether changed lines stand before it, and last whether some stand at the end. */
function runs(changed: boolean[]): boolean[] {
  const there = [false];
  for (const c of changed) {
    if (c) there[there.length - 1] = true;
    else there.push(false);
  }
  return there;
}

function changes(gone: boolean[], come: boolean[]): Change[] {
  const list: Change[] = [];
  for (let i = 0, k = 0; i < gone.length || k < come.length; i++, k++) {
    const [from, newFrom] = [i, k];
    while (gone[i]) i++;
    while (come[k]) k++;
    if (i > from || k > newFrom) list.push({ from, to: i, newFrom, newTo: k });
  }
  return list;
}
