import { foldService, syntaxTree } from "@codemirror/language";
import type { EditorState, Extension, Text } from "@codemirror/state";
import { Tree, type NodeType } from "@lezer/common";

export interface Heading {
  level: number;
  text: string;
  /** The line on which it starts, from 1 on, and its place in the document. */
  line: number;
  from: number;
}

const composite = /^(?:Document|Blockquote|BulletList|OrderedList|ListItem|Footnote)$/;
const unsaid = /Mark$|^(?:URL|LinkTitle|LinkLabel|Attributes|JSXTag|HTMLTag|Comment|FootnoteLabel)$/;

const levels = new Map<NodeType, number>();

/** The level of a heading, 0 for what holds blocks, and -1 for any other block. */
function levelOf({ type }: Tree): number {
  let level = levels.get(type);
  if (level === undefined) {
    const digit = /^(?:ATX|Setext)Heading(\d)$/.exec(type.name)?.[1];
    level = digit ? Number(digit) : type.isAnonymous || composite.test(type.name) ? 0 : -1;
    levels.set(type, level);
  }
  return level;
}

/** Calls with each heading that starts in a range, in order, until one call returns true. */
function headings(tree: Tree, start: number, from: number, to: number, call: (heading: Tree, at: number) => boolean): boolean {
  const level = levelOf(tree);
  if (level > 0) return start >= from && call(tree, start);
  if (level < 0) return false;
  for (let i = 0; i < tree.children.length; i++) {
    const child = tree.children[i]!;
    const at = start + tree.positions[i]!;
    if (at > to) break;
    if (at + child.length >= from && child instanceof Tree && headings(child, at, from, to, call)) return true;
  }
  return false;
}

const said = new WeakMap<Tree, string>();

function textOf(heading: Tree, start: number, doc: Text): string {
  let text = said.get(heading);
  if (text === undefined) said.set(heading, (text = say(heading, start, doc)));
  return text;
}

/** The text of a heading without its marks. */
function say(heading: Tree, start: number, doc: Text): string {
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

/** The headings of what has been parsed, in order. */
export function outline(state: EditorState): Heading[] {
  const { doc } = state;
  const all: Heading[] = [];
  headings(syntaxTree(state), 0, 0, doc.length, (heading, from) => {
    all.push({ level: levelOf(heading), text: textOf(heading, from, doc), line: doc.lineAt(from).number, from });
    return false;
  });
  return all;
}

/** Folds what stands below a heading, up to the next of its level or a higher one. */
export const foldSections: Extension = foldService.of((state, lineStart, lineEnd) => {
  const tree = syntaxTree(state);
  let level = 0;
  headings(tree, 0, lineStart, lineEnd, (own) => (level = levelOf(own)) > 0);
  if (!level) return null;
  let end = -1;
  headings(tree, 0, lineEnd, state.doc.length, (next, at) => levelOf(next) <= level && (end = at) > 0);
  let last = state.doc.lineAt(end < 0 ? state.doc.length : end).number - (end < 0 ? 0 : 1);
  while (state.doc.line(last).from > lineEnd && !state.doc.line(last).text.trim()) last--;
  const { to } = state.doc.line(last);
  return to > lineEnd ? { from: lineEnd, to } : null;
});
