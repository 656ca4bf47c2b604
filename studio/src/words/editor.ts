export const en = {
  writeHere: "Write here",
  leaveText: "Escape, then Tab leaves the text.",
};
