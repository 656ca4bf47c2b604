// A text field of a browser knows no line end but \n. What was typed there is put back
// into the text that it came from, whose other lines keep theirs.

export const asShown = (text: string): string => text.replace(/\r\n?/g, "\n");

/** The text that a field was given, changed as the field was; new lines end as eol says. */
export function keepEnds(text: string, typed: string, eol: string): string {
  const units = text.match(/\r\n|[^]/g) ?? []; // each is one character of what is shown
  const shown = asShown(text);
  let head = 0;
  while (head < shown.length && head < typed.length && shown[head] === typed[head]) head++;
  let tail = 0;
  const room = Math.min(shown.length, typed.length) - head;
  while (tail < room && shown[shown.length - 1 - tail] === typed[typed.length - 1 - tail]) tail++;
  const middle = typed.slice(head, typed.length - tail).replaceAll("\n", eol);
  return units.slice(0, head).join("") + middle + units.slice(units.length - tail).join("");
}
