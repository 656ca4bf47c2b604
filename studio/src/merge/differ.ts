/** In what two texts differ, at most: in nothing, in how lines end, in blanks, or in what they say. */
export type Difference = "nothing" | "ends" | "blanks" | "text";

export function difference(a: string, b: string): Difference {
  if (a === b) return "nothing";
  const unix = (s: string) => s.replace(/\r\n?/g, "\n");
  if (unix(a) === unix(b)) return "ends";
  const solid = (s: string) => s.replace(/\s+/g, "");
  return solid(a) === solid(b) ? "blanks" : "text";
}

/** The kinds of line ends in a text, in a fixed order. */
export function endsOf(text: string): ("LF" | "CRLF" | "CR")[] {
  const found: ("LF" | "CRLF" | "CR")[] = [];
  if (/(^|[^\r])\n/.test(text)) found.push("LF");
  if (text.includes("\r\n")) found.push("CRLF");
  if (/\r(?!\n)/.test(text)) found.push("CR");
  return found;
}
