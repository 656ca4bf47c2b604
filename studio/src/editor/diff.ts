// How one text becomes another by few changes, found by lines.

export interface Change {
  from: number;
  to: number;
  insert: string;
}

/** How many steps are searched; texts that differ more are replaced between what they share. */
const limit = 300;

export function difference(a: string, b: string): Change[] {
  const x = lines(a);
  const y = lines(b);
  let start = 0;
  let from = 0;
  while (start < x.length && start < y.length && x[start] === y[start]) from += x[start++]!.length;
  let end = 0;
  const most = Math.min(x.length, y.length) - start;
  while (end < most && x[x.length - 1 - end] === y[y.length - 1 - end]) end++;
  const old = x.slice(start, x.length - end);
  const now = y.slice(start, y.length - end);
  const changes: Change[] = [];
  let i = 0;
  let j = 0;
  for (const [keptI, keptJ] of [...matches(old, now), [old.length, now.length] as const]) {
    const gone = old.slice(i, keptI).join("");
    const come = now.slice(j, keptJ).join("");
    if (gone !== come) changes.push(narrow(from, gone, come));
    from += gone.length + (old[keptI]?.length ?? 0);
    i = keptI + 1;
    j = keptJ + 1;
  }
  return changes;
}

/** The lines of a text with their ends; together they are the text. */
function lines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

/** Leaves out what is equal at the start and the end, but divides no character. */
function narrow(from: number, gone: string, come: string): Change {
  const most = Math.min(gone.length, come.length);
  let start = 0;
  while (start < most && gone[start] === come[start]) start++;
  if (start && /[\uD800-\uDBFF]/.test(gone[start - 1]!)) start--;
  let end = 0;
  while (end < most - start && gone[gone.length - 1 - end] === come[come.length - 1 - end]) end++;
  if (end && /[\uDC00-\uDFFF]/.test(gone[gone.length - end]!)) end--;
  return { from: from + start, to: from + gone.length - end, insert: come.slice(start, come.length - end) };
}

/** The lines that both keep, by the shortest way from one to the other (Myers), as pairs. */
function matches(x: string[], y: string[]): (readonly [number, number])[] {
  const trace: Map<number, number>[] = [];
  const reach = new Map([[1, 0]]);
  for (let d = 0; d <= limit; d++) {
    trace.push(new Map(reach));
    for (let k = -d; k <= d; k += 2) {
      let i = down(reach, k, d) ? reach.get(k + 1)! : reach.get(k - 1)! + 1;
      while (i < x.length && i - k < y.length && x[i] === y[i - k]) i++;
      reach.set(k, i);
      if (i >= x.length && i - k >= y.length) return back(trace, x.length, y.length);
    }
  }
  return [];
}

function down(reach: Map<number, number>, k: number, d: number): boolean {
  return k === -d || (k !== d && reach.get(k - 1)! < reach.get(k + 1)!);
}

function back(trace: Map<number, number>[], i: number, j: number): (readonly [number, number])[] {
  const pairs: (readonly [number, number])[] = [];
  for (let d = trace.length - 1; d >= 0; d--) {
    const k = i - j;
    const before = down(trace[d]!, k, d) ? k + 1 : k - 1;
    const startI = d ? trace[d]!.get(before)! : 0;
    const startJ = d ? startI - before : 0;
    while (i > startI && j > startJ) pairs.push([--i, --j]);
    i = startI;
    j = startJ;
  }
  return pairs.reverse();
}
