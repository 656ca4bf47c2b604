import type { Text } from "@codemirror/state";
import type { Rendered } from "../api/types.ts";

/** What is wrong at a place of the text, from and to counted in UTF-16. */
export interface Problem {
  line: number;
  from: number;
  to: number;
  message: string;
}

type Told = Pick<Rendered, "notices" | "links">;

/** Finds the places of notices and broken links in the text that was rendered. */
export function problemsOf(doc: Text, told: Told, broken: (href: string) => string): Problem[] {
  const found = told.notices.map((n) => placed(doc, n.line, n.column, quoted(n.message), n.message));
  const from = new Map<string, number>(); // a line may have a link twice
  for (const link of told.links) {
    if (link.state !== "broken" || told.notices.some((n) => n.line === link.line && quoted(n.message).startsWith(link.href))) continue;
    const key = `${link.line} ${link.href}`;
    const p = placed(doc, link.line, from.get(key) ?? 1, link.href, broken(link.href));
    from.set(key, p.to - doc.line(p.line).from + 1);
    found.push(p);
  }
  return found.sort((a, b) => a.from - b.from);
}

/** What a notice quotes of the text. */
const quoted = (message: string) => message.slice(message.indexOf(": ") + 2).replace(/…$/, "");

/** The place of a text at a column or behind it; of the word there, or of the line. */
function placed(doc: Text, number: number, column: number, text: string, message: string): Problem {
  const line = doc.line(Math.min(doc.lines, Math.max(1, number)));
  const start = utf16(line.text, column - 1);
  let from = text ? line.text.indexOf(text, start) : -1;
  let length = text.length;
  if (from < 0) {
    const word = /\S+/.exec(line.text.slice(start)) ?? /\S.*/.exec(line.text);
    from = word ? line.text.indexOf(word[0], start < line.text.length ? start : 0) : 0;
    length = word ? word[0].length : line.length;
  }
  from = Math.max(0, from);
  return { line: line.number, from: line.from + from, to: line.from + Math.min(line.length, from + length), message };
}

/** Columns are counted in characters, of which some are two units. */
function utf16(text: string, characters: number): number {
  let at = 0;
  for (; characters > 0 && at < text.length; characters--) at += text.codePointAt(at)! > 0xffff ? 2 : 1;
  return at;
}
