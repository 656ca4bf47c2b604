import { foldService, syntaxTree } from "@codemirror/language";
import type { EditorState, Extension, Text } from "@codemirror/state";
import { Tree } from "@lezer/common";

export interface Heading {
  level: number;
  text: string;
  /** The line on which it starts, from 1 on, and its place in the document. */
  line: number;
  from: number;
}

/** A heading in a piece of the tree, at a place in that piece. */
type Entry = Omit<Heading, "line">;

const composite = /^(?:Document|Blockquote|BulletList|OrderedList|ListItem|Footnote)$/;
const unsaid = /Mark$|^(?:URL|LinkTitle|LinkLabel|Attributes|JSXTag|HTMLTag|Comment|FootnoteLabel)$/;

/** What was found in a piece. The parser keeps the pieces that a change leaves alone. */
const known = new WeakMap<Tree, readonly Entry[]>();

function entries(tree: Tree, start: number, doc: Text): readonly Entry[] {
  let found = known.get(tree);
  if (found) return found;
  const all: Entry[] = [];
  tree.children.forEach((child, i) => {
    if (!(child instanceof Tree)) return;
    const at = tree.positions[i]!;
    const level = /^(?:ATX|Setext)Heading(\d)$/.exec(child.type.name)?.[1];
    if (level) all.push({ level: Number(level), text: said(child, start + at, doc), from: at });
    else if (child.type.isAnonymous || composite.test(child.type.name))
      for (const e of entries(child, start + at, doc)) all.push({ ...e, from: e.from + at });
  });
  found = all;
  known.set(tree, found);
  return found;
}

/** The text of a heading without its marks. */
function said(heading: Tree, start: number, doc: Text): string {
  let text = "";
  let at = 0;
  heading.iterate({
    enter(n) {
      if (n.name === "Escape") {
        text += doc.sliceString(start + at, start + n.from);
        at = n.from + 1;
      }
      if (!unsaid.test(n.name)) return true;
      text += doc.sliceString(start + at, start + n.from);
      at = n.to;
      return false;
    },
  });
  text += doc.sliceString(start + at, start + heading.length);
  return text.replace(/\s+/g, " ").trim();
}

function sections(state: EditorState): readonly Entry[] {
  return entries(syntaxTree(state), 0, state.doc);
}

/** The headings of what has been parsed, in order. */
export function outline(state: EditorState): Heading[] {
  return sections(state).map((e) => ({ ...e, line: state.doc.lineAt(e.from).number }));
}

/** Folds what stands below a heading, up to the next of its level or a higher one. */
export const foldSections: Extension = foldService.of((state, lineStart, lineEnd) => {
  const all = sections(state);
  let low = 0;
  for (let high = all.length; low < high; ) {
    const middle = (low + high) >> 1;
    if (all[middle]!.from < lineStart) low = middle + 1;
    else high = middle;
  }
  const own = all[low];
  if (!own || own.from > lineEnd) return null;
  const next = all.slice(low + 1).find((e) => e.level <= own.level);
  let last = state.doc.lineAt(next ? next.from : state.doc.length).number - (next ? 1 : 0);
  while (state.doc.line(last).from > lineEnd && !state.doc.line(last).text.trim()) last--;
  const { to } = state.doc.line(last);
  return to > lineEnd ? { from: lineEnd, to } : null;
});
