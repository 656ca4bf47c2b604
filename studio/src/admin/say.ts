import { spoken } from "../ui/spoken.ts";
import * as words from "../words/admin.ts";

export const say = spoken<typeof words.en>(words);
