// Front matter as a form sees it: which keys it has, of what kind, and where they stand.
// The rules are the server's: YAML 1.2 between lines of ---, dates are texts.
import type { Word } from "../words.ts";
import { readYaml, type Value } from "./yaml.ts";

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
  value: Value; // with places between the fences
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

function yaml(parts: Parts, raw: string): Parts {
  const inner = raw.slice(parts.start, parts.end);
  const read = readYaml(inner);
  if ("odd" in read) return parts;
  if ("fault" in read) return { ...parts, fault: { line: inner.slice(0, read.at).split("\n").length + 1, word: read.fault } };
  const fields = read.members.map(({ name, from, value }, i): Part => {
    const to = ownEnd(inner, from, read.members[i + 1]?.from ?? inner.length);
    return { name, given: given(value, inner), source: inner.slice(from, to), from: from + parts.start, to: to + parts.start, value };
  });
  return { ...parts, fields, form: true };
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

function given({ style, value, items, from, to }: Value, inner: string): Field["given"] {
  if (items) return { kind: "list", value: items.map((i) => String(i.value)) };
  if (style === "OTHER") return { kind: "other" };
  if (typeof value === "boolean") return { kind: "flag", value };
  if (typeof value === "number") return Number.isFinite(value) ? { kind: "number", value: inner.slice(from, to) } : { kind: "other" };
  return { kind: style === "PLAIN" && isDay(value ?? "") ? "date" : "text", value: value ?? "" };
}

export function isDay(text: string): boolean {
  const day = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(text + "T00:00:00Z") : undefined;
  return !!day && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** Whether a text is a number in YAML and in JSON alike. */
export const isNumber = (text: string): boolean => /^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/.test(text) && Number.isFinite(Number(text));
