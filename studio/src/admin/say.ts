import * as words from "../words/admin.ts";
import { language } from "../words.ts";

export type Said = keyof typeof words.en;

/** The words of these screens, which come with them and not with the shell. */
export const say = (word: Said, ...given: (string | number)[]): string =>
  (words[language as keyof typeof words] ?? words.en)[word].replace(/\{(\d)\}/g, (_, i: string) => String(given[Number(i)] ?? ""));
