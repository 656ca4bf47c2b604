// Front matter as a form sees it: which keys it has, of what kind, and where they stand.
// The rules are the server's: YAML 1.2 between lines of ---, dates are texts.
import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type Node, type Pair, type Scalar, type YAMLSeq } from "yaml";
import type { Word } from "../words.ts";

/** What a form can set. A number is its digits, a date such as 2026-01-31. */
export type Given =
  | { kind: "text" | "number" | "date"; value: string }
  | { kind: "flag"; value: boolean }
  | { kind: "list"; value: string[] };
export type Kind = Given["kind"];

/** A top-level key. What only the source can change is of kind other. */
export interface Field {
  name: string;
  given: Given | { kind: "other" };
  source: string; // its lines
}

export interface Fault {
  line: number; // from 1, the opening line included
  word: Word;
}

export interface Matter {
  format: "none" | "yaml" | "toml" | "json" | "unknown";
  fields: Field[];
  form: boolean; // whether keys can be set; else only the source can be changed
  fault?: Fault;
}

/** A key with its place in the text. */
export interface Part extends Field {
  from: number;
  to: number; // behind its last line
  pair: Pair<Scalar, Node | null>;
}

export interface Parts extends Matter {
  fields: Part[];
  start: number; // of what stands between the fences
  end: number;
  eol: "\n" | "\r\n";
}

export const read = (raw: string): Matter => divide(raw);

const fences = [
  { open: "---", close: ["---", "..."], format: "yaml" },
  { open: "+++", close: ["+++"], format: "toml" },
  { open: ";;;", close: [";;;"], format: "json" },
] as const;

const isFence = (line: string, mark: string) => line.startsWith(mark) && line.replace(/[ \t\r\n]+$/, "") === mark;
const afterLine = (text: string, at: number) => text.indexOf("\n", at) + 1 || text.length;

/** Reads front matter, with the places of its keys. */
export function divide(raw: string): Parts {
  const begin = raw.startsWith("\uFEFF") ? 1 : 0;
  const start = afterLine(raw, begin);
  const first = raw.slice(begin, start);
  const parts: Parts = { format: "unknown", fields: [], form: false, start, end: start, eol: first.endsWith("\r\n") ? "\r\n" : "\n" };
  if (raw === "") return { ...parts, format: "none", form: true };
  if (first.startsWith("{")) return json({ ...parts, format: "json" }, raw.slice(begin), 1);
  const fence = fences.find((f) => isFence(first, f.open));
  if (!fence) return { ...parts, fault: { line: 1, word: "matterNoFence" } };
  parts.format = fence.format;
  for (let at = start, line = 2; at < raw.length; line++) {
    const next = afterLine(raw, at);
    if (fence.close.some((mark) => isFence(raw.slice(at, next), mark))) {
      if (next < raw.length) return { ...parts, fault: { line: line + 1, word: "matterBehind" } };
      parts.end = at;
      if (fence.format === "yaml") return yaml(parts, raw);
      return fence.format === "json" ? json(parts, raw.slice(start, at), 2) : parts;
    }
    at = next;
  }
  return { ...parts, fault: { line: 1, word: "matterOpen" } };
}

function json(parts: Parts, text: string, line: number): Parts {
  try {
    if (text.trim()) JSON.parse(text);
    return parts;
  } catch {
    return { ...parts, fault: { line, word: "matterJson" } }; // browsers do not agree on telling where
  }
}

const faults: Record<string, Word> = {
  DUPLICATE_KEY: "matterTwice",
  TAB_AS_INDENT: "matterTab",
  BAD_INDENT: "matterIndent",
  MISSING_CHAR: "matterMissing",
  BLOCK_AS_IMPLICIT_KEY: "matterColon",
  MULTILINE_IMPLICIT_KEY: "matterColon",
};

export const parse = (text: string, lines?: LineCounter) =>
  parseDocument<Node>(text, { version: "1.2", stringKeys: true, prettyErrors: false, logLevel: "silent", ...(lines && { lineCounter: lines }) });

function yaml(parts: Parts, raw: string): Parts {
  const inner = raw.slice(parts.start, parts.end);
  const lines = new LineCounter();
  const doc = parse(inner, lines);
  const at = (offset: number) => lines.linePos(offset).line + 1;
  const [wrong] = [...doc.errors, ...doc.warnings];
  const root = doc.contents;
  if (wrong) {
    // What is never closed is missed at the end: the key is where it is mended.
    const keys = wrong.code === "MISSING_CHAR" && isMap<Node>(root) ? root.items.map((p) => p.key.range?.[0] ?? 0) : [];
    return { ...parts, fault: { line: at(keys.findLast((k) => k <= wrong.pos[0]) ?? wrong.pos[0]), word: faults[wrong.code] ?? "matterUnread" } };
  }
  if (!root || (isScalar(root) && root.value === null)) return { ...parts, form: true };
  if (!isMap<Scalar, Node | null>(root)) return { ...parts, fault: { line: at(root.range?.[0] ?? 0), word: "matterNoKeys" } };
  const starts = root.items.map((pair) => pair.key.range![0]);
  const merge = root.items.findIndex((p) => p.key.value === "<<" && p.key.type === "PLAIN" && !isScalar(p.value));
  if (merge >= 0) return { ...parts, fault: { line: at(starts[merge]!), word: "matterMerge" } };
  const fields = root.items.map((pair, i): Part => {
    const from = starts[i]!;
    const to = ownEnd(inner, from, starts[i + 1] ?? inner.length);
    const source = inner.slice(from, to);
    return { name: String(pair.key.value), given: given(pair.value), source, from: from + parts.start, to: to + parts.start, pair };
  });
  // A form needs each key at the start of a line of its own.
  return { ...parts, fields, form: !root.flow && !root.anchor && starts.every((s) => s === 0 || inner[s - 1] === "\n") };
}

/** Where the lines of a key end: comments and empty lines below it stand above the next. */
function ownEnd(text: string, from: number, to: number): number {
  for (;;) {
    const last = text.lastIndexOf("\n", to - 2) + 1;
    const line = text.slice(last, to);
    if (last <= from || (line.trim() !== "" && line[0] !== "#")) return to;
    to = last;
  }
}

const plainly = (n: Node) => !isAlias(n) && !n.anchor && !n.tag;

function given(node: Node | null): Field["given"] {
  if (!node) return { kind: "text", value: "" };
  if (!plainly(node)) return { kind: "other" };
  if (isScalar(node)) {
    const { value } = node;
    if (value === null) return { kind: "text", value: "" };
    if (typeof value === "boolean") return { kind: "flag", value };
    if (typeof value === "string") return { kind: isDay(value) && node.type === "PLAIN" ? "date" : "text", value };
    return Number.isFinite(value) ? { kind: "number", value: node.source! } : { kind: "other" };
  }
  const texts = isSeq(node) && node.items.every((i) => isScalar(i) && plainly(i) && typeof i.value === "string");
  return texts ? { kind: "list", value: (node as YAMLSeq<Scalar<string>>).items.map((i) => i.value) } : { kind: "other" };
}

export function isDay(text: string): boolean {
  const day = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(text + "T00:00:00Z") : undefined;
  return !!day && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** Whether a text is a number in YAML and in JSON alike. */
export const isNumber = (text: string): boolean => /^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/.test(text) && Number.isFinite(Number(text));
