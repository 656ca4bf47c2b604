import { spoken } from "../ui/spoken.ts";
import * as words from "../words/review.ts";

export const say = spoken<typeof words.en>(words);
