/**
 * Puts a suggestion in the place of the lines that it is made for. They are looked for at
 * their line first, and else wherever they stand alone. undefined where they are gone.
 */
export function applied(text: string, line: number, quote: string, suggestion: string): string | undefined {
  const lines = text.split("\n");
  const quoted = quote.split(/\r?\n/);
  const fits = (at: number) => at >= 0 && quoted.every((q, i) => lines[at + i]?.replace(/\r$/, "") === q);
  let at = line - 1;
  if (!fits(at)) {
    const found = lines.map((_, i) => i).filter(fits);
    if (found.length !== 1) return undefined;
    at = found[0]!;
  }
  // Its lines end as those that it takes the place of; the last line of a text may have no end.
  const last = lines[at + quoted.length - 1]!.endsWith("\r") ? "\r" : "";
  const end = last || lines[at - 1]?.endsWith("\r") ? "\r\n" : "\n";
  lines.splice(at, quoted.length, ...(suggestion === "" ? [] : [suggestion.replace(/\r?\n$/, "").split(/\r?\n/).join(end) + last]));
  return lines.join("\n");
}

/** The lines of a text from one on. */
export const linesFrom = (text: string, line: number, count: number): string => text.split(/\r?\n/).slice(line - 1, line - 1 + count).join("\n");
