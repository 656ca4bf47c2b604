/** The headings at which a page can be split: all but the one that names it. */
export function headings(text: string): { line: number; text: string }[] {
  let fence = "";
  return text.split(/\r\n|[\r\n]/).flatMap((line, i) => {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? "";
    if (fence ? mark.startsWith(fence) : mark) fence = fence ? "" : mark;
    const found = fence || mark ? null : /^ {0,3}(#{1,6})[ \t]+(.*?)[ \t#]*$/.exec(line);
    return found && !(found[1] === "#" && i === 0) ? [{ line: i + 1, text: found[2]! }] : [];
  });
}
