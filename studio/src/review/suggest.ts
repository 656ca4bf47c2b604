/**
 * Puts a suggestion in the place of the lines that it is made for. They are looked for at
 * their line first, and else wherever they stand alone. undefined where they are gone.
 */
export function applied(text: string, line: number, quote: string, suggestion: string): string | undefined {
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text.split(end);
  const quoted = quote.split(/\r?\n/);
  const fits = (at: number) => at >= 0 && quoted.every((q, i) => lines[at + i] === q);
  let at = line - 1;
  if (!fits(at)) {
    const found = lines.map((_, i) => i).filter(fits);
    if (found.length !== 1) return undefined;
    at = found[0]!;
  }
  lines.splice(at, quoted.length, ...(suggestion === "" ? [] : suggestion.replace(/\r?\n$/, "").split(/\r?\n/)));
  return lines.join(end);
}

/** The lines of a text from one on. */
export const linesFrom = (text: string, line: number, count: number): string => text.split(/\r?\n/).slice(line - 1, line - 1 + count).join("\n");
