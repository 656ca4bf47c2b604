import { spoken } from "../../ui/spoken.ts";
import * as tools from "../../words/tools.ts";

export type Said = keyof typeof tools.en;

/** The words of the tools, which come with the editor and not with the shell. */
export const say = spoken<typeof tools.en>(tools);
