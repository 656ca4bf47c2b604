// Which place of a text is where in its preview. No DOM: pixels come as numbers.

/** Blocks in order, the whole text, and the height of all that is shown. */
export interface Scale {
  count: number;
  line(block: number): number;
  top(block: number): number;
  lines: number;
  height: number;
}

/** The pixel at which a line begins; parts of a line lie between. */
export function topOf(s: Scale, line: number): number {
  const i = last(s.count, (block) => s.line(block) <= line);
  return between(line, lineAt(s, i), lineAt(s, i + 1), topAt(s, i), topAt(s, i + 1));
}

/** The line at a pixel, with its part. */
export function lineOf(s: Scale, top: number): number {
  const i = last(s.count, (block) => s.top(block) <= top);
  return between(top, topAt(s, i), topAt(s, i + 1), lineAt(s, i), lineAt(s, i + 1));
}

// The first block begins where everything begins, so that the top is the top.
const lineAt = (s: Scale, i: number) => (i <= 0 ? 1 : i >= s.count ? s.lines + 1 : s.line(i));
const topAt = (s: Scale, i: number) => (i <= 0 ? 0 : i >= s.count ? s.height : s.top(i));

/** The last block from which on a condition does not hold; 0 is before all. */
function last(count: number, holds: (block: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

function between(x: number, from: number, to: number, low: number, high: number): number {
  if (to <= from) return low;
  return low + (high - low) * Math.min(1, Math.max(0, (x - from) / (to - from)));
}

/**
 * The place that a scroll position stands for. It is at the upper edge of the window, and
 * moves to the lower one over the last screen, so that ends meet ends.
 */
export function placeAt(scroll: number, height: number, screen: number): number {
  const most = height - screen;
  if (most <= 0) return 0;
  const span = Math.min(most, screen);
  return scroll + screen * Math.max(0, (scroll - (most - span)) / span);
}

/** The scroll position that stands for a place. */
export function scrollTo(place: number, height: number, screen: number): number {
  const most = height - screen;
  if (most <= 0) return 0;
  const span = Math.min(most, screen);
  const from = most - span;
  return Math.min(most, Math.max(0, place <= from ? place : from + ((place - from) * span) / (span + screen)));
}
