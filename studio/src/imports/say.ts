import { spoken } from "../words.ts";
import { en } from "../words/import.ts";

/** The words of imports, which come with their screen and not with the shell. */
export const say = spoken("imports", en);
