import assert from "node:assert/strict";
import test from "node:test";
import { formatOf, type Format } from "../src/editor/format.ts";
import { languages } from "../src/editor/language.ts";

/** The nodes of a text that tell something, each with what it covers. */
function shown(text: string, format: Format): string {
  const parts: string[] = [];
  languages[format].parser.parse(text).iterate({
    enter(n) {
      if (!/^(Document|Paragraph|JSXMark|.*[a-z]Mark)$/.test(n.name)) parts.push(`${n.name}(${text.slice(n.from, n.to).replace(/\n/g, "·")})`);
    },
  });
  return parts.join(" ");
}

test("nodes of Markdown and MDX", () => {
  for (const [format, text, want] of [
    ["mdx", "import A from './a'\nexport const b = {\n\n  c: 1,\n}\n\ntext", "Module(import A from './a'·export const b = {··  c: 1,·})"],
    ["mdx", "export const b = {\n\n# Later", "Module(export const b = {) ATXHeading1(# Later)"],
    ["mdx", "import things from the shop", ""],
    ["markdown", "import A from './a'", ""],
    ["mdx", "<Tabs>", "JSXBlock(<Tabs>) JSXTag(<Tabs>) JSXName(Tabs)"],
    ["mdx", '<Tab\n  a="x"\n  b={1 > 0}>\n\n*t*\n\n</Tab>', 'JSXBlock(<Tab·  a="x"·  b={1 > 0}>) JSXTag(<Tab·  a="x"·  b={1 > 0}>) JSXName(Tab) JSXAttribute(a) JSXValue("x") JSXAttribute(b) Expression({1 > 0}) Emphasis(*t*) JSXBlock(</Tab>) JSXTag(</Tab>) JSXName(Tab)'],
    ["mdx", "<Tab\n\n# Later", "ATXHeading1(# Later)"],
    ["mdx", "a <B c/> {d} 1 < 2", "JSXTag(<B c/>) JSXName(B) JSXAttribute(c) Expression({d})"],
    ["mdx", "text\n<Note>\nmore", "JSXBlock(<Note>) JSXTag(<Note>) JSXName(Note)"],
    ["mdx", "{/* a\n b */}", "CommentBlock({/* a· b */})"],
    ["mdx", "<!-- a\n\n  b -->", "CommentBlock(<!-- a··  b -->)"],
    ["mdx", "    not code", ""],
    ["mdx", "> <A\n> b>\n", "Blockquote(> <A·> b>) JSXBlock(<A·> b>) JSXTag(<A·> b>) JSXName(A) JSXAttribute(b)"],
    ["markdown", "a {b} <Type>", "HTMLTag(<Type>)"],
    ["markdown", "::: note[The *title*]{.x}\ntext\n:::", "Container(::: note[The *title*]{.x}) ContainerName(note) ContainerTitle([The *title*]) Attributes({.x}) Container(:::)"],
    ["markdown", "text\n:::tip Title\n", "Container(:::tip Title) ContainerName(tip) ContainerTitle( Title)"],
    ["markdown", "# A {#b}", "ATXHeading1(# A {#b}) Attributes({#b})"],
    ["mdx", "# A {#b}", "ATXHeading1(# A {#b}) Attributes({#b})"],
    ["markdown", "![](a){width=3}", "Image(![](a)) URL(a) Attributes({width=3})"],
    ["markdown", "$$\na^2\n$$\ntext", "Formula($$·a^2·$$)"],
    ["markdown", "$5 and $6", ""],
    ["markdown", "$$\n\ntext", ""],
    ["markdown", "a[^1]\n\n[^1]: b\n    *c*\n\n    d\n\ne", "FootnoteLabel([^1]) Footnote([^1]: b·    *c*··    d) FootnoteLabel([^1]:) Emphasis(*c*)"],
    ["markdown", "> [!NOTE] Title\n> text", "Blockquote(> [!NOTE] Title·> text) Callout([!NOTE] Title) ContainerName([!NOTE]) CalloutTitle( Title)"],
    ["markdown", "> [!other]", "Blockquote(> [!other]) Link([!other])"],
    ["markdown", "- [x] ~~a~~", "BulletList(- [x] ~~a~~) ListItem(- [x] ~~a~~) Task([x] ~~a~~) TaskMarker([x]) Strikethrough(~~a~~)"],
  ] as const)
    assert.equal(shown(text, format), want, JSON.stringify(text));
});

test("what is typed is parsed as the whole would be", () => {
  const text = "import A from 'a'\n\n# H {#x}\n\n<Tabs a={b}>\n\n- one\n  <X>\n    two\n  </X>\n\n</Tabs>\n\n> [!NOTE]\n> q\n\n$$\nx\n$$\n\n[^1]: n\n\n:::tip\nx\n:::\n";
  for (let n = 0; n <= text.length; n++) {
    languages.mdx.parser.parse(text.slice(0, n));
    languages.markdown.parser.parse(text.slice(n));
  }
});

test("the language of a page", () => {
  for (const [content, source, declared, want, dialect] of [
    ["text", "", "", "markdown"],
    ["text", "a/b.MDX", "", "mdx"],
    ["text", "", "MDX", "mdx"],
    ["text", "", "", "mdx", "mdx"],
    ["text", "a/b.mdx", "mdx", "markdown", "markdown"],
    ["import A from 'a'", "", "", "mdx"],
    ["x\n\n<Tabs>\n", "", "", "mdx"],
    ["```\n<Tabs>\n```\n\n<BR>", "", "", "markdown"],
    ["import things from the shop", "", 3, "markdown"],
  ] as const)
    assert.equal(formatOf(content, source, declared, dialect), want, content);
});

test("hostile texts take no long time", () => {
  for (const piece of ["<A b={", "{", "<a ", "[^", ":::a[", "$$", "`", "{#a", "<A {", "import a\n", "> [!a", "*a ", "[", "export const a = {\n\n "]) {
    const text = piece.repeat(20_000 / piece.length);
    const start = performance.now();
    languages.mdx.parser.parse(text);
    languages.markdown.parser.parse(text);
    const took = performance.now() - start;
    assert.ok(took < 10_000, `${JSON.stringify(piece)} took ${took} ms`);
  }
});
