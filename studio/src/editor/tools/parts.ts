import { type Completion, type CompletionResult, type CompletionSource, pickedCompletion, snippet } from "@codemirror/autocomplete";
import { type EditorState, StateEffect, type Transaction } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import { t, type Word } from "../../words.ts";
import { placeOfBlock } from "./blocks.ts";
import table from "./components.json";
import { lineEnd, textOf } from "./ends.ts";
import { inCode, writing } from "./options.ts";

// What can be inserted as a whole: blocks of Markdown, and the components that the server
// shows. Their notations are in components.json, which a test of the server reads too.

export interface Part {
  id: string;
  find: string; // what people may call it, in English
  inline?: boolean; // stands within a line
  both?: string; // its notation in every format, or
  markdown?: string;
  mdx?: string;
}

export const parts: readonly Part[] = table.parts;
export const attributes: Record<"markdown" | "mdx", Record<string, Record<string, string[]>>> = table.attributes;

export const notation = (p: Part, format: "markdown" | "mdx"): string | undefined => p.both ?? p[format];

/** Inserts a notation with places to fill in, with the line ends of the file. */
export function insertSnippet(view: EditorView, template: string, from: number, to: number, picked: Completion | null = null): void {
  const editor = {
    state: view.state,
    dispatch: (tr: Transaction) => {
      if (lineEnd(tr.startState) === "\n") return view.dispatch(tr);
      // The end is replaced, not added to: a place to fill in that ends here stays before it.
      const ends: { from: number; to: number; insert: string }[] = [];
      tr.changes.iterChanges((_a, _b, start, end) => {
        for (let pos = tr.newDoc.lineAt(start).to; pos < end; pos = tr.newDoc.lineAt(pos + 1).to) {
          if (tr.newDoc.sliceString(pos - 1, pos) !== "\r") ends.push({ from: pos, to: pos + 1, insert: "\r\n" });
        }
      });
      const fix = tr.state.changes(ends);
      view.dispatch({
        changes: tr.changes.compose(fix),
        selection: tr.newSelection.map(fix, -1),
        effects: StateEffect.mapEffects(tr.effects, fix),
        annotations: picked ? pickedCompletion.of(picked) : [],
        scrollIntoView: true,
        userEvent: "input.complete",
      });
    },
  };
  snippet(template)(editor, picked, from, to);
}

export function insertPart(view: EditorView, part: Part, from: number, to: number, picked: Completion | null = null): void {
  const text = notation(part, view.state.facet(writing).format);
  if (text === undefined) return;
  if (part.inline) return insertSnippet(view, text, from, to, picked);
  const place = placeOfBlock(view.state, from, to);
  if (place.from === from) return insertSnippet(view, place.before + text + place.after, from, place.to, picked);
  // What was typed to find it goes, and the block comes below the line.
  if (from < to) view.dispatch({ changes: { from, to }, userEvent: "delete" });
  const at = place.from - (to - from);
  insertSnippet(view, place.before + text + place.after, at, at, picked);
}

const word = (p: Part, what: "name" | "about"): string => t(`part_${p.id}_${what}` as Word);

/** What was typed behind a slash at the start of a line or behind a blank, with nothing after it. */
export function slashBefore(state: EditorState, pos: number): { from: number; query: string } | undefined {
  const line = state.doc.lineAt(pos);
  const m = /(?:^|\s)(\/([\p{L}\d-]*))$/u.exec(state.sliceDoc(line.from, pos));
  if (!m || textOf(line).slice(pos - line.from).trim()) return undefined;
  return { from: pos - m[1]!.length, query: m[2]! };
}

export const slashMenu: CompletionSource = (context): CompletionResult | null => {
  const { state, pos, explicit } = context;
  const slash = slashBefore(state, pos) ?? (explicit && !/\S$/.test(state.sliceDoc(state.doc.lineAt(pos).from, pos)) ? { from: pos, query: "" } : undefined);
  if (!slash || inCode(state, pos)) return null;
  const format = state.facet(writing).format;
  const query = slash.query.toLowerCase();
  const options: Completion[] = [];
  for (const p of parts) {
    if (notation(p, format) === undefined) continue;
    const name = word(p, "name");
    const rank = [name.toLowerCase(), ...p.find.split(" ")].findIndex((w) => w.split(" ").some((part) => part.startsWith(query)));
    if (query && rank < 0) continue;
    options.push({ label: name, detail: word(p, "about"), boost: -rank, apply: (view, picked, from, to) => insertPart(view, p, from, to, picked) });
  }
  return options.length ? { from: slash.from, options, filter: false } : null;
};

const tag = /<([A-Z][\w.]*)((?:\s+[\w:-]+(?:=(?:"[^"]*"|'[^']*'|\{[^{}]*\}))?)*)\s+([\w-]*)$/;
const tagValue = /<([A-Z][\w.]*)(?:\s+[\w:-]+(?:=(?:"[^"]*"|'[^']*'|\{[^{}]*\}))?)*\s+([\w-]+)=["']([^"']*)$/;
const directive = /^\s*:{3,}\s*([\w-]+)(?:\[[^\]]*\])?\{((?:[^{}"]|"[^"]*")*?)([\w-]*)$/;
const directiveValue = /^\s*:{3,}\s*([\w-]+)(?:\[[^\]]*\])?\{(?:[^{}"]|"[^"]*")*?([\w-]+)="([^"]*)$/;

/** Names and known values of attributes, before the cursor within a tag or the braces of a container. */
export function attributeOptions(before: string, format: "markdown" | "mdx"): { query: string; names?: string[]; values?: string[] } | undefined {
  const own = (name: string) => attributes[format][name];
  const value = (format === "mdx" ? tagValue : directiveValue).exec(before);
  const values = value && own(value[1]!)?.[value[2]!];
  if (values?.length) return { query: value![3]!, values };
  const name = (format === "mdx" ? tag : directive).exec(before);
  const names = name && own(name[1]!);
  if (!names) return undefined;
  const used = new Set([...name[2]!.matchAll(/([\w:-]+)(?==|\s|$)/g)].map((m) => m[1]));
  return { query: name[3]!, names: Object.keys(names).filter((n) => !used.has(n)) };
}

export const attributeNames: CompletionSource = ({ state, pos }): CompletionResult | null => {
  const line = state.doc.lineAt(pos);
  const found = attributeOptions(state.sliceDoc(Math.max(line.from, pos - 500), pos), state.facet(writing).format);
  if (!found || inCode(state, pos)) return null;
  const options: Completion[] = (found.values ?? found.names ?? []).map((label) =>
    found.values ? { label } : { label, apply: (view, picked, from, to) => insertSnippet(view, `${label}="\${}"`, from, to, picked) },
  );
  return options.length ? { from: pos - found.query.length, options, validFor: /^[\w-]*$/ } : null;
};
