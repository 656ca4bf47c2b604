import { spoken } from "../words.ts";
import { en } from "../words/admin.ts";

/** The words of these screens, which come with them and not with the shell. */
export const say = spoken("admin", en);
