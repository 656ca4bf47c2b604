import { Tag, tags } from "@lezer/highlight";
import type { BlockContext, Element, Line, MarkdownConfig } from "@lezer/markdown";
import { takeLines } from "./mdx.ts";

// What the server renders beyond CommonMark and the tables of GitHub, in Markdown and MDX.

export const own = { container: Tag.define(), formula: Tag.define(), footnote: Tag.define(), attributes: Tag.define() };

const containerStart = /^(:{3,})([ \t]*)([A-Za-z][A-Za-z\d-]*)(\[(?:[^\]\\]|\\.)*\])?([^[\]].*|)$/;
const containerEnd = /^:{3,}[ \t]*$/;
const callouts =
  /^\[!(?:note|abstract|summary|example|quote|cite|seealso|canary|experimental|remark|tip|hint|check|success|recap|done|best-practice|info|important|todo|question|help|faq|announcement|youwilllearn|wip|warning|caution|attention|pitfall|warn|deprecated|danger|error|bug|failure|fail|critical|rootcause)\][+-]?/i;
const footnoteStart = /^\[\^[^\s[\]]+\]:/;

function rest(line: Line): string {
  return line.text.slice(line.pos).trimEnd();
}

/** Takes the line as a block whose parts have lengths, as far as they have a name. */
function takeLine(cx: BlockContext, line: Line, name: string, parts: [name: string, length: number][]): true {
  const start = cx.lineStart + line.pos;
  const inside: Element[] = [];
  let at = start;
  for (const [part, length] of parts) {
    if (part && length) inside.push(cx.elt(part, at, at + length));
    at += length;
  }
  cx.addElement(cx.elt(name, start, cx.lineStart + line.text.length, inside));
  cx.nextLine();
  return true;
}

export const octavo: MarkdownConfig = {
  defineNodes: [
    { name: "Container", block: true },
    { name: "ContainerMark", style: tags.processingInstruction },
    { name: "ContainerName", style: own.container },
    { name: "ContainerTitle", style: tags.strong },
    { name: "Callout", block: true },
    { name: "CalloutTitle", style: tags.strong },
    { name: "Formula", block: true, style: { "Formula/...": own.formula } },
    { name: "FormulaMark", style: tags.processingInstruction },
    {
      name: "Footnote",
      block: true,
      composite(_cx, line) {
        if (line.next >= 0 && line.indent < line.baseIndent + 4) return false;
        line.moveBaseColumn(line.baseIndent + 4);
        return true;
      },
    },
    { name: "FootnoteLabel", style: own.footnote },
    { name: "Attributes", style: own.attributes },
  ],
  parseBlock: [
    {
      name: "Container",
      before: "FencedCode",
      parse(cx, line) {
        if (line.next !== 58) return false;
        const text = rest(line);
        if (containerEnd.test(text)) return takeLine(cx, line, "Container", [["ContainerMark", text.length]]);
        const found = containerStart.exec(text);
        if (!found) return false;
        const [, colons, gap, name, title = "", behind] = found as unknown as [string, string, string, string, string?, string?];
        const attributes = /^[ \t]*\{[^{}]*\}$/.test(behind!);
        return takeLine(cx, line, "Container", [
          ["ContainerMark", colons.length], ["", gap.length], ["ContainerName", name.length], ["ContainerTitle", title.length],
          [attributes ? "Attributes" : title ? "" : "ContainerTitle", behind!.length],
        ]);
      },
      endLeaf: (_cx, line) => line.next === 58 && (containerEnd.test(rest(line)) || containerStart.test(rest(line))),
    },
    {
      name: "Callout",
      before: "FencedCode",
      parse(cx, line) {
        if (line.next !== 91 || cx.parentType().name !== "Blockquote") return false;
        const found = callouts.exec(line.text.slice(line.pos));
        if (!found) return false;
        return takeLine(cx, line, "Callout", [["ContainerName", found[0].length], ["CalloutTitle", rest(line).length - found[0].length]]);
      },
    },
    {
      name: "Formula",
      before: "FencedCode",
      parse(cx, line) {
        if (line.next !== 36 || !line.text.startsWith("$$", line.pos)) return false;
        return takeLines(cx, line, "$$", (s, at) => {
          const end = s.indexOf("$$", 2);
          if (/\n[ \t]*\n/.test(s)) return "none";
          if (end < 0) return "more";
          const marks = [cx.elt("FormulaMark", at, at + 2), cx.elt("FormulaMark", at + end, at + end + 2)];
          return end > 2 && end + 2 === s.length ? [cx.elt("Formula", at, at + s.length, marks)] : "none";
        });
      },
      endLeaf: (_cx, line) => line.next === 36 && line.text.startsWith("$$", line.pos),
    },
    {
      name: "Footnote",
      before: "LinkReference",
      parse(cx, line) {
        const found = line.next === 91 && footnoteStart.exec(line.text.slice(line.pos));
        if (!found) return false;
        const start = cx.lineStart + line.pos;
        cx.startComposite("Footnote", line.pos);
        cx.addElement(cx.elt("FootnoteLabel", start, start + found[0].length));
        line.moveBase(line.pos + found[0].length);
        return null;
      },
    },
  ],
  parseInline: [
    {
      name: "FootnoteLabel",
      before: "Link",
      parse(cx, next, pos) {
        if (next !== 91 || cx.char(pos + 1) !== 94) return -1;
        const found = /^\[\^[^\s[\]]+\]/.exec(cx.slice(pos, Math.min(cx.end, pos + 1000)));
        return found ? cx.addElement(cx.elt("FootnoteLabel", pos, pos + found[0].length)) : -1;
      },
    },
    {
      name: "Attributes",
      before: "Escape",
      parse(cx, next, pos) {
        if (next !== 123 || cx.char(pos + 1) !== 35) return -1;
        const found = /^\{#[^\s{}][^{}\n]*\}(?=[ \t#]*$)/.exec(cx.slice(pos, cx.end));
        return found ? cx.addElement(cx.elt("Attributes", pos, pos + found[0].length)) : -1;
      },
    },
  ],
};

/** What Markdown has and MDX has not: {width=300} behind a picture or link. */
export const markdownOnly: MarkdownConfig = {
  parseInline: [
    {
      name: "AttributesBehind",
      before: "Escape",
      parse(cx, next, pos) {
        if (next !== 123 || cx.char(pos - 1) !== 41) return -1;
        const found = /^\{:?[ \t]*(?:[#.][^\s{}=]+|[A-Za-z_][\w:-]*=[^{}]*)[^{}\n]*\}/.exec(cx.slice(pos, Math.min(cx.end, pos + 256)));
        return found ? cx.addElement(cx.elt("Attributes", pos, pos + found[0].length)) : -1;
      },
    },
  ],
};
