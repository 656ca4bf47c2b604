import type { TreePage } from "../api/types.ts";
import type { Outline } from "./outline.ts";

/** A text without case and accents, in which people find what they type. */
export function fold(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text.toLowerCase();
  return text.normalize("NFKD").replace(/\p{M}+/gu, "").toLowerCase().replaceAll("ß", "ss");
}

interface Folded {
  title: string;
  slug: string;
}

const kept = new WeakMap<TreePage, Folded>();

function foldedOf(page: TreePage): Folded {
  let f = kept.get(page);
  if (!f) kept.set(page, (f = { title: fold(page.title), slug: fold(page.slug) }));
  return f;
}

const wordsOf = (query: string) => fold(query).split(/\s+/).filter(Boolean);

/** The rows of a tree that is narrowed: pages with all words in title or slug, and what they lie below. */
export function filtered(o: Outline, query: string): { rows: number[]; found: number } {
  const words = wordsOf(query);
  const shown = new Uint8Array(o.pages.length);
  let found = 0;
  for (let i = 0; i < o.pages.length; i++) {
    const { title, slug } = foldedOf(o.pages[i]!);
    if (!words.every((w) => title.includes(w) || slug.includes(w))) continue;
    found++;
    for (let up = i; up >= 0 && !shown[up]; up = o.parent[up]!) shown[up] = 1;
  }
  const rows: number[] = [];
  for (let i = 0; i < shown.length; i++) if (shown[i]) rows.push(i);
  return { rows, found };
}

/** Whether a word begins there: after what is neither a letter nor a digit, for which ASCII is enough. */
function starts(text: string, at: number): boolean {
  if (at === 0) return true;
  const c = text.charCodeAt(at - 1);
  return c < 48 || (c > 57 && c < 97) || (c > 122 && c < 128);
}

/**
 * How well a text answers words that were typed, 0 where it does not: best as its
 * beginning, then as words of it, within words, and last as letters in this order.
 */
export function score(text: string, words: readonly string[]): number {
  const whole = words.join(" ");
  if (text === whole) return 1000;
  const near = 50 / (1 + text.length / 20); // of two alike the shorter
  if (text.startsWith(whole)) return 800 + near;
  let parts = 0;
  for (const w of words) {
    let at = text.indexOf(w);
    if (at < 0) return letters(text, words.join(""));
    while (at > 0 && !starts(text, at)) {
      const next = text.indexOf(w, at + 1);
      if (next < 0) break;
      at = next;
    }
    parts += starts(text, at) ? 600 : 400;
  }
  return parts / words.length + (text.includes(whole) ? 50 : 0) + near;
}

/** The letters in their order, at least half of them at beginnings of words or side by side. */
function letters(text: string, wanted: string): number {
  if (wanted.length < 2 || wanted.length > 32) return 0;
  let at = -1;
  let good = 0;
  for (const c of wanted) {
    const next = text.indexOf(c, at + 1);
    if (next < 0) return 0;
    if (next === at + 1 || starts(text, next)) good++;
    at = next;
  }
  const share = good / wanted.length;
  return share < 0.5 ? 0 : 300 * share + 20 / (1 + text.length / 20);
}

/** The pages that answer a query best, at most so many. */
export function ranked(pages: readonly TreePage[], query: string, most: number): TreePage[] {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const found: { page: TreePage; score: number }[] = [];
  for (const page of pages) {
    const { title, slug } = foldedOf(page);
    const best = Math.max(score(title, words), score(slug, words) - 20);
    if (best > 0) found.push({ page, score: best });
  }
  return found.sort((a, b) => b.score - a.score).slice(0, most).map((f) => f.page);
}

/** What a found passage says, without its HTML: text, and whether it is marked. */
export function passage(html: string): { text: string; marked: boolean }[] {
  const plain = (t: string) => t.replace(/&(lt|gt|amp|quot|#34|#39);/g, (_, name: string) => ({ lt: "<", gt: ">", amp: "&", quot: '"', "#34": '"', "#39": "'" })[name]!);
  return html.split(/(<mark>.*?<\/mark>)/s).filter(Boolean).map((part) => {
    const marked = part.startsWith("<mark>");
    return { text: plain(marked ? part.slice(6, -7) : part), marked };
  });
}
