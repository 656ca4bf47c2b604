import type { en } from "../editor.ts";

export const de: typeof en = {
  writeHere: "Hier schreiben",
  leaveText: "Escape, dann Tab verlässt den Text.",
};
