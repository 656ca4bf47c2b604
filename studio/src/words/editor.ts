export const en = {
  writeHere: "Write here",
  leaveText: "Escape, then Tab leaves the text.",
};

export const de: typeof en = {
  writeHere: "Hier schreiben",
  leaveText: "Escape, dann Tab verlässt den Text.",
};
