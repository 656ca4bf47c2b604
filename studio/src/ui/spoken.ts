import { language } from "../words.ts";

/** Says the words of a table that comes with an area and not with the shell. */
export const spoken =
  <W extends Record<string, string>>(tables: { en: W; de: W }) =>
  (word: keyof W, ...given: (string | number)[]): string =>
    (tables[language] ?? tables.en)[word]!.replace(/\{(\d)\}/g, (_, i: string) => String(given[Number(i)] ?? ""));
