import { tags } from "@lezer/highlight";
import type { BlockContext, Element, InlineContext, Line, MarkdownConfig } from "@lezer/markdown";
import { openBrackets, scanExpression, scanTag, startsModule, type Tag } from "./scan.ts";

type Maker = Pick<BlockContext | InlineContext, "elt">;

/** The nodes of a tag that was read of a text which starts at an offset. */
function tagNode(cx: Maker, tag: Tag, offset: number): Element {
  const elt = (name: string, [from, to]: readonly [number, number]) => cx.elt(name, offset + from, offset + to);
  const kinds = { name: "JSXAttribute", value: "JSXValue", expression: "Expression" };
  const inside = tag.parts.map((p) => elt(kinds[p.kind], p.at));
  const name = tag.name[0] < tag.name[1] ? [elt("JSXName", tag.name)] : [];
  return cx.elt("JSXTag", offset + tag.open[0], offset + tag.close[1], [elt("JSXMark", tag.open), ...name, ...inside, elt("JSXMark", tag.close)]);
}

/** The tags that a text consists of. */
function tagsOf(text: string): Tag[] | "none" | "more" {
  const found: Tag[] = [];
  for (let at = 0; at < text.length; ) {
    if (text[at] !== "<") return "none";
    const tag = scanTag(text, at);
    if (typeof tag === "string") return tag;
    found.push(tag);
    at = tag.close[1];
    while (text[at] === " " || text[at] === "\t") at++;
  }
  return found;
}

function isComment(text: string): boolean {
  return /^\{\s*\/\*/.test(text);
}

/** How much is read, again with each line, before what is sought is given up. */
const most = 1 << 20;

/**
 * Reads lines until they are what read looks for, which ends with end. Where they never are,
 * they are a paragraph, since lines that were read cannot be given back.
 */
export function takeLines(cx: BlockContext, line: Line, end: string, read: (text: string, offset: number) => Element[] | "none" | "more"): boolean {
  const start = cx.lineStart + line.pos;
  let text = line.text.slice(line.pos).trimEnd();
  let found = read(text, start);
  if (found === "none") return false;
  text = line.text.slice(line.pos);
  for (let done = 0; found === "more" && done < most && cx.nextLine() && inside(cx, line) && (line.next >= 0 || goesOn(cx)); ) {
    text += "\n" + " ".repeat(line.basePos) + line.text.slice(line.basePos);
    if (!line.text.includes(end)) continue;
    done += text.length;
    found = read(text.trimEnd(), start);
  }
  if (typeof found === "string") {
    cx.addElement(cx.elt("Paragraph", start, start + text.length, cx.parser.parseInline(text, start)));
    if (found === "none") cx.nextLine();
    return true;
  }
  for (const element of found) cx.addElement(element);
  cx.nextLine();
  return true;
}

/** Whether the line belongs to the block that is open, which the types of the parser hide. */
function inside(cx: BlockContext, line: Line): boolean {
  return (line as Line & { depth: number }).depth >= cx.depth;
}

/** Whether code goes on behind a blank line: it is indented there, or ends. */
function goesOn(cx: BlockContext): boolean {
  return /^(?:[ \t]+\S|[}\])])/.test(cx.peekLine());
}

const spent = new WeakMap<InlineContext, number>();

/** Scans unless many have reached the end of the paragraph and found nothing, as in the server. */
function afford<T>(cx: InlineContext, pos: number, scan: (at: number) => T): T | "none" {
  const used = spent.get(cx) ?? 0;
  if (used > (64 << 10) + 2 * cx.text.length) return "none";
  const found = scan(pos - cx.offset);
  if (found === "more") spent.set(cx, used + cx.end - pos);
  return found;
}

export const mdx: MarkdownConfig = {
  defineNodes: [
    { name: "JSXBlock", block: true },
    { name: "ExpressionBlock", block: true },
    { name: "Module", block: true, style: { "Module/...": tags.meta } },
    { name: "JSXTag" },
    { name: "JSXMark", style: tags.angleBracket },
    { name: "JSXName", style: tags.tagName },
    { name: "JSXAttribute", style: tags.attributeName },
    { name: "JSXValue", style: tags.attributeValue },
    { name: "Expression", style: tags.special(tags.content) },
  ],
  // Indentation is no code in MDX, since what stands in components is indented freely.
  remove: ["IndentedCode"],
  parseBlock: [
    {
      name: "Module",
      before: "FencedCode",
      parse(cx, line) {
        if (cx.depth > 1 || line.pos > 0 || !startsModule(line.text)) return false;
        const start = cx.lineStart;
        let depth = openBrackets(line.text);
        let end = start + line.text.length;
        while (cx.nextLine() && (line.next >= 0 || (depth > 0 && goesOn(cx)))) {
          depth += openBrackets(line.text);
          end = cx.lineStart + line.text.length;
        }
        cx.addElement(cx.elt("Module", start, end));
        return true;
      },
    },
    {
      name: "HTMLBlock",
      parse(cx, line) {
        if (line.next !== 60) return false;
        if (line.text.startsWith("<!--", line.pos))
          return takeLines(cx, line, "-->", (s, at) => (s.includes("-->", 4) ? [cx.elt("CommentBlock", at, at + s.length)] : "more"));
        return takeLines(cx, line, ">", (s, at) => {
          const found = tagsOf(s);
          return typeof found === "string" ? found : [cx.elt("JSXBlock", at, at + s.length, found.map((tag) => tagNode(cx, tag, at)))];
        });
      },
      endLeaf: (_cx, line) => line.next === 60 && typeof tagsOf(line.text.slice(line.pos).trimEnd()) !== "string",
    },
    {
      name: "ExpressionBlock",
      before: "FencedCode",
      parse(cx, line) {
        if (line.next !== 123) return false;
        return takeLines(cx, line, "}", (s, at) => {
          const end = scanExpression(s, 0);
          if (end === "more") return end;
          if (end < s.length) return "none";
          const inside = isComment(s) ? [] : [cx.elt("Expression", at, at + end)];
          return [cx.elt(isComment(s) ? "CommentBlock" : "ExpressionBlock", at, at + end, inside)];
        });
      },
    },
  ],
  parseInline: [
    {
      name: "JSXTag",
      before: "HTMLTag",
      parse(cx, next, pos) {
        if (next !== 60) return -1;
        const tag = afford(cx, pos, (at) => scanTag(cx.text, at));
        return typeof tag === "string" ? -1 : cx.addElement(tagNode(cx, tag, cx.offset));
      },
    },
    {
      name: "Expression",
      before: "HTMLTag",
      parse(cx, next, pos) {
        if (next !== 123) return -1;
        const end = afford(cx, pos, (at) => scanExpression(cx.text, at));
        if (typeof end === "string") return -1;
        const comment = isComment(cx.slice(pos, cx.offset + end));
        return cx.addElement(cx.elt(comment ? "Comment" : "Expression", pos, cx.offset + end));
      },
    },
  ],
};
