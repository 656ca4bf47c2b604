import type { Text } from "@codemirror/state";

export interface Counts {
  words: number;
  characters: number;
  /** How long it takes to read. */
  minutes: number;
}

interface Tally {
  words: number;
  characters: number;
  /** Characters of scripts without blanks between words. */
  dense: number;
}

const dense = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー]+/gu;
const word = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['’.,_-][\p{L}\p{N}\p{M}]+)*/gu;
const target = /\]\([^()\s]*\)/g;

const segmenter = typeof Intl.Segmenter === "function" ? new Intl.Segmenter(undefined, { granularity: "word" }) : undefined;

export function tally(text: string): Tally {
  const sum = { words: 0, characters: text.replace(/[\uDC00-\uDFFF\n]/g, "").length, dense: 0 };
  const spaced = text.replace(target, "]").replace(dense, (run) => {
    sum.dense += [...run].length;
    if (segmenter) for (const s of segmenter.segment(run)) sum.words += s.isWordLike ? 1 : 0;
    else sum.words += Math.ceil(run.length / 2);
    return " ";
  });
  sum.words += spaced.match(word)?.length ?? 0;
  return sum;
}

/** Words and characters that are read in a minute, as is usual for silent reading. */
const wordsAMinute = 230;
const denseAMinute = 450;

const known = new WeakMap<Text, Tally>();

/** Counts a document piece by piece; what has not changed since is not counted again. */
export function* counting(doc: Text): Generator<void, Counts> {
  const sum = { words: 0, characters: 0, dense: 0 };
  const open = [doc];
  let fresh = 0;
  for (let piece = open.pop(); piece; piece = open.pop()) {
    let own = known.get(piece);
    if (!own && piece.children) {
      open.push(...piece.children);
      continue;
    }
    if (!own) {
      known.set(piece, (own = tally(piece.toString())));
      if ((fresh += piece.length) > 50_000) {
        fresh = 0;
        yield;
      }
    }
    sum.words += own.words;
    sum.characters += own.characters;
    sum.dense += own.dense;
  }
  // Words of dense scripts are counted, yet the time is that of their characters.
  const spaced = Math.max(0, sum.words - sum.dense / 1.6);
  return { words: sum.words, characters: sum.characters, minutes: Math.ceil(spaced / wordsAMinute + sum.dense / denseAMinute) };
}

export function counts(doc: Text): Counts {
  const all = counting(doc);
  for (;;) {
    const step = all.next();
    if (step.done) return step.value;
  }
}
