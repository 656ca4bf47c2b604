import { syntaxHighlighting } from "@codemirror/language";
import { RangeSetBuilder, type Extension } from "@codemirror/state";
import { Decoration, ViewPlugin, type DecorationSet, type EditorView, type ViewUpdate } from "@codemirror/view";
import { tagHighlighter, tags } from "@lezer/highlight";
import { own } from "./syntax/octavo.ts";

/** The classes of editor.css, by what the parser says. */
export const look: Extension = syntaxHighlighting(
  tagHighlighter([
    { tag: tags.heading1, class: "md-heading md-heading-1" },
    { tag: tags.heading2, class: "md-heading md-heading-2" },
    { tag: tags.heading, class: "md-heading" },
    { tag: tags.emphasis, class: "md-emphasis" },
    { tag: tags.strong, class: "md-strong" },
    { tag: tags.strikethrough, class: "md-strike" },
    { tag: tags.monospace, class: "md-code" },
    { tag: tags.quote, class: "md-quote" },
    { tag: tags.link, class: "md-link" },
    { tag: [tags.url, tags.labelName, tags.string], class: "md-url" },
    { tag: [tags.processingInstruction, tags.contentSeparator, tags.escape, tags.character], class: "md-mark" },
    { tag: [tags.comment, tags.meta], class: "md-aside" },
    { tag: [tags.tagName, tags.angleBracket], class: "md-tag" },
    { tag: tags.attributeName, class: "md-name" },
    { tag: tags.attributeValue, class: "md-value" },
    { tag: tags.special(tags.content), class: "md-expression" },
    { tag: tags.atom, class: "md-container" },
    { tag: own.container, class: "md-container" },
    { tag: own.formula, class: "md-expression" },
    { tag: own.footnote, class: "md-link" },
    { tag: own.attributes, class: "md-aside" },
  ]),
);

const rightToLeft = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;
const auto = Decoration.line({ attributes: { dir: "auto" } });

/** Lines with letters that run from right to left have the direction of their first letter. */
export const direction: Extension = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;

    constructor(view: EditorView) {
      this.decorations = mark(view);
    }

    update(u: ViewUpdate) {
      if (u.docChanged || u.viewportChanged) this.decorations = mark(u.view);
    }
  },
  { decorations: (p) => p.decorations },
);

function mark(view: EditorView): DecorationSet {
  const set = new RangeSetBuilder<Decoration>();
  for (const { from, to } of view.visibleRanges)
    for (let at = from; at <= to; ) {
      const line = view.state.doc.lineAt(at);
      if (rightToLeft.test(line.text)) set.add(line.from, line.from, auto);
      at = line.to + 1;
    }
  return set.finish();
}
