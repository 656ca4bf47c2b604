import { spoken } from "../../words.ts";
import { en } from "../../words/tools.ts";

export type Said = keyof typeof en;

/** The words of the tools, which come with the editor and not with the shell. */
export const say = spoken("tools", en);
