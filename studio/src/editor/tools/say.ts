import * as tools from "../../words/tools.ts";
import { language } from "../../words.ts";

export type Said = keyof typeof tools.en;

/** The words of the tools, which come with the editor and not with the shell. */
export const say = (word: Said, ...given: string[]): string =>
  (tools[language as keyof typeof tools] ?? tools.en)[word].replace(/\{(\d)\}/g, (_, i: string) => given[Number(i)] ?? "");
