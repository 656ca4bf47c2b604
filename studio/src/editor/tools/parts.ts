import { type Completion, type CompletionResult, type CompletionSource, snippet } from "@codemirror/autocomplete";
import type { EditorState } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import { placeOfBlock } from "./blocks.ts";
import table from "./components.json";
import { inCode, writing } from "./options.ts";
import { say, type Said } from "./say.ts";

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

export function insertPart(view: EditorView, part: Part, from: number, to: number, picked: Completion | null = null): void {
  const text = notation(part, view.state.facet(writing).format);
  if (text === undefined) return;
  if (part.inline) return snippet(text)(view, picked, from, to);
  const place = placeOfBlock(view.state, from, to);
  const block = place.before + text + place.after;
  if (place.from === from) {
    // Further lines stay in the quotation or the item that the first one is in.
    const begun = view.state.sliceDoc(view.state.doc.lineAt(from).from, from).trimStart().replace(/[^>\s]/g, " ");
    return snippet(block.replaceAll("\n", "\n" + begun))(view, picked, from, place.to);
  }
  // What was typed to find it goes, and the block comes below the line.
  if (from < to) view.dispatch({ changes: { from, to }, userEvent: "delete" });
  const at = place.from - (to - from);
  snippet(block)(view, picked, at, at);
}

const word = (p: Part, what: "name" | "about"): string => say(`part_${p.id}_${what}` as Said);

/** What was typed behind a slash at the start of a line or behind a blank, with nothing after it. */
export function slashBefore(state: EditorState, pos: number): { from: number; query: string } | undefined {
  const line = state.doc.lineAt(pos);
  const m = /(?:^|\s)(\/([\p{L}\d-]*))$/u.exec(state.sliceDoc(Math.max(line.from, pos - 60), pos));
  if (!m || line.text.slice(pos - line.from).trim()) return undefined;
  return { from: pos - m[1]!.length, query: m[2]! };
}

export const slashMenu: CompletionSource = (context): CompletionResult | null => {
  const { state, pos, explicit } = context;
  const slash = slashBefore(state, pos) ?? (explicit && !/\S$/.test(state.sliceDoc(state.doc.lineAt(pos).from, pos)) ? { from: pos, query: "" } : undefined);
  if (!slash || inCode(state, pos)) return null;
  const format = state.facet(writing).format;
  const query = slash.query.toLowerCase();
  const found: { rank: number; option: Completion }[] = [];
  for (const p of parts) {
    if (notation(p, format) === undefined) continue;
    const name = word(p, "name");
    const rank = [...name.toLowerCase().split(" "), ...p.find.split(" ")].findIndex((w) => w.startsWith(query));
    if (rank < 0) continue;
    found.push({ rank: query ? rank : 0, option: { label: name, detail: word(p, "about"), apply: (view, picked, from, to) => insertPart(view, p, from, to, picked) } });
  }
  found.sort((a, b) => a.rank - b.rank);
  return found.length ? { from: slash.from, options: found.map((f) => f.option), filter: false } : null;
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
  const options: Completion[] = (found.values ?? found.names ?? []).map((label, i) =>
    found.values ? { label, boost: -i } : { label, boost: -i, apply: (view, picked, from, to) => snippet(`${label}="\${}"`)(view, picked, from, to) },
  );
  return options.length ? { from: pos - found.query.length, options, validFor: /^[\w-]*$/ } : null;
};
