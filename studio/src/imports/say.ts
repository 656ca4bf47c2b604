import * as words from "../words/import.ts";
import { language } from "../words.ts";

/** The words of imports, which come with their screen and not with the shell. */
export const say = (word: keyof typeof words.en, ...given: (string | number)[]): string =>
  words[language][word].replace(/\{(\d)\}/g, (_, i: string) => String(given[Number(i)] ?? ""));
