// What Studio says. A text with {0} takes arguments. Each area has its words in a file of
// its own; those of screens that are loaded later come with them. English is in the
// program; another language is one file beside it.

import * as common from "./words/common.ts";
import * as editor from "./words/editor.ts";
import * as history from "./words/history.ts";
import * as matter from "./words/matter.ts";
import * as page from "./words/page.ts";
import * as preview from "./words/preview.ts";
import * as shell from "./words/shell.ts";

export const en = { ...common.en, ...editor.en, ...history.en, ...matter.en, ...page.en, ...preview.en, ...shell.en };

/** The areas of the shell, which have no word in common. */
export const areas = [common, editor, history, matter, page, preview, shell];

export type Word = keyof typeof en;

export const languages = ["en", "de"] as const;

export type Language = (typeof languages)[number];

/** The language that a person prefers among those that there are words for, else English. */
export function chosen(preferred: readonly string[]): Language {
  return preferred.map((l) => l.slice(0, 2).toLowerCase()).find((l): l is Language => (languages as readonly string[]).includes(l)) ?? "en";
}

export const language: Language = chosen(typeof document === "undefined" ? [] : navigator.languages);

type Area = "shell" | "admin" | "imports" | "review" | "tools";

let foreign: Partial<Record<Area, Record<string, string>>> = {};

/** Loads the words of the language that is not English, before anything is shown. */
export async function learn(): Promise<void> {
  if (language === "de") foreign = (await import("./words/de.ts")).areas;
}

/** Keeps what runs from right to left, or turns text round, from what stands around it. */
const isolated = (text: string) => (/[\u0590-\u08ff\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufeff]/.test(text) ? `\u2068${text}\u2069` : text);

/** Says the words of an area. */
export const spoken =
  <W extends string>(area: Area, words: Record<W, string>) =>
  (word: W, ...given: (string | number)[]): string =>
    ((foreign[area]?.[word] ?? words[word]) as string).replace(/\{(\d)\}/g, (_, i: string) => isolated(String(given[Number(i)] ?? "")));

export const t = spoken<Word>("shell", en);
