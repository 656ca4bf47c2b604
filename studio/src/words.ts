// What Studio says, in each language. A text with {0} takes arguments. Each area has its
// words in a file of its own. Those of the toolbar are loaded with it.

import * as common from "./words/common.ts";
import * as editor from "./words/editor.ts";
import * as history from "./words/history.ts";
import * as matter from "./words/matter.ts";
import * as page from "./words/page.ts";
import * as preview from "./words/preview.ts";
import * as shell from "./words/shell.ts";

const en = { ...common.en, ...editor.en, ...history.en, ...matter.en, ...page.en, ...preview.en, ...shell.en };
const de: typeof en = { ...common.de, ...editor.de, ...history.de, ...matter.de, ...page.de, ...preview.de, ...shell.de };

/** The areas, which have no word in common. */
export const areas = [common, editor, history, matter, page, preview, shell];

export type Word = keyof typeof en;

export const tables = { en, de };

export type Language = keyof typeof tables;

/** The language that a person prefers among those that there is a table for, else English. */
export function chosen(preferred: readonly string[]): Language {
  return preferred.map((l) => l.slice(0, 2).toLowerCase()).find((l): l is Language => Object.hasOwn(tables, l)) ?? "en";
}

export const language: Language = chosen(typeof document === "undefined" ? [] : navigator.languages);

export function t(word: Word, ...given: (string | number)[]): string {
  return tables[language][word].replace(/\{(\d)\}/g, (_, i: string) => String(given[Number(i)] ?? ""));
}
