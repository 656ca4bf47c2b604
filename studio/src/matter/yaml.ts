// Reads YAML as front matter is written: keys at the start of lines. What it knows, it
// reads as YAML 1.2 does; all else it leaves alone, as a value that only the source can
// change, or as a text that no form can. The server reads everything, and has the last word.
import type { Word } from "../words.ts";

/** A value with its place. One of style OTHER has only that. */
export interface Value {
  from: number;
  to: number;
  style: "PLAIN" | "SINGLE" | "DOUBLE" | "BLOCK" | "LIST" | "FLOW" | "OTHER";
  value?: string | number | boolean | null; // of a scalar
  items?: Value[]; // of a list of texts
}

export interface Member {
  name: string;
  from: number; // of the key
  value: Value;
}

/** What a text says. One that is odd may be right, but not for a form. */
export type Read = { members: Member[] } | { fault: Word; at: number } | { odd: true };

const odd = { odd: true } as const;

/** Ends reading with what is known by then. */
class Stop extends Error {
  constructor(readonly found: Read) {
    super();
  }
}
const fail = (found: Read): never => {
  throw new Stop(found);
};

export function readYaml(text: string): Read {
  // Some of these end a line for one reader of YAML and not for another.
  if (/[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\uFEFF\uFFFE\uFFFF]|\r(?!\n)|^ *\t[ \t]*\r?$/m.test(text)) return odd;
  try {
    return { members: members(text) };
  } catch (e) {
    if (e instanceof Stop) return e.found;
    throw e;
  }
}

const isNothing = (line: string) => /^[ \t\r\n]*(#|$)/.test(line);

function members(text: string): Member[] {
  const lines = [...text.matchAll(/[^\n]*\n|[^\n]+$/g)].map((m) => ({ from: m.index, text: m[0] }));
  const found: Member[] = [];
  for (let i = 0; i < lines.length; ) {
    const { from, text: line } = lines[i]!;
    if (isNothing(line)) {
      i++;
      continue;
    }
    if (/^-[ \r\n]/.test(line) && found.length === 0) fail({ fault: "matterNoKeys", at: from });
    const key = keyOf(line);
    if (!key) {
      const bare = /^[\p{L}\p{N}_]/u.test(line) && !/:\s/.test(line) && resolve(withoutComment(line)) !== null;
      const last = found.at(-1);
      const below = !last || (last.value.to > last.value.from && /^[^\n]+\n$/.test(text.slice(last.from, from))); // a key and its value on one line
      return fail(bare && below ? { fault: last ? "matterColon" : "matterNoKeys", at: from } : odd);
    }
    const behind = from + key.length;
    const empty = isNothing(line.slice(key.length));
    let next = i + 1;
    while (next < lines.length && (/^[ \t\r\n#]/.test(lines[next]!.text) || (empty && /^-[ \r\n]/.test(lines[next]!.text)))) next++;
    const value = valueOf(text, from, behind, lines[next]?.from ?? text.length);
    if (key.name === "<<" && key.plain && !("value" in value)) fail(/[*[{-]/.test(text[value.from]!) ? { fault: "matterMerge", at: from } : odd);
    if (found.some((m) => m.name === key.name)) fail({ fault: "matterTwice", at: from });
    found.push({ name: key.name, from, value });
    i = next;
  }
  return found;
}

/** The key at the start of a line, and how long it is with its colon. */
function keyOf(line: string): { name: string; plain: boolean; length: number } | undefined {
  const [, whole, quoted] = /^((?:("(?:[^"\\\n]|\\.)*"|'(?:[^'\n]|'')*')|[^\s"'#&*!|>%@`,[\]{}?:.-](?:[^\s:#]|:(?=\S)|[^\S\n]+(?=[^\s:#])|#)*)[ \t]*:)(?=[ \t\r\n]|$)/.exec(line) ?? [];
  if (whole === undefined || whole.length > 1000) return undefined;
  if (!quoted) return { name: whole.slice(0, -1).trim(), plain: true, length: whole.length };
  const name = quoted[0] === '"' ? unescaped(quoted.slice(1, -1)) : quoted.slice(1, -1).replaceAll("''", "'");
  return name === undefined ? undefined : { name, plain: false, length: whole.length };
}

/** The value between the colon of a key and the line of the next. */
function valueOf(text: string, key: number, behind: number, end: number): Value {
  const at = behind + /^[ \t]*/.exec(text.slice(behind, end))![0].length;
  const eol = lineEnd(text, at);
  const first = text[at] ?? "";
  if (at >= eol || first === "#") {
    if (first === "#" && at === behind) fail(odd);
    return below(text, at, Math.min(end, text.indexOf("\n", eol) + 1 || text.length), end);
  }
  if (first === '"' || first === "'") {
    const value = quotedAt(text, at, end, key);
    return value.style === "OTHER" ? fail(odd) : closed(text, value, end);
  }
  if (first === "[" || first === "{") return closed(text, flowAt(text, at, end, key), end);
  if (first === "|" || first === ">") return blockAt(text, at, end);
  if ("&*!".includes(first)) return rest(text.slice(at, end), at, end);
  return plainAt(text, at, end);
}

const lineEnd = (text: string, at: number): number => {
  const next = text.indexOf("\n", at);
  const to = next < 0 ? text.length : next;
  return to > at && text[to - 1] === "\r" ? to - 1 : to;
};

/** A value that stands by itself: nothing but comments follow it. */
function closed(text: string, value: Value, end: number): Value {
  const tail = text.slice(value.to, end);
  const [line = "", ...more] = tail.split("\n");
  if (!/^[ \t\r]*$|^[ \t]+#/.test(line) || !more.every(isNothing)) fail(/^[ \t]*:([ \r]|$)/.test(line) ? { fault: "matterColon", at: value.from } : odd);
  return value;
}

/** A value that the form does not know. It must close what it opens, as lines without indentation could belong to it. */
function rest(source: string, from: number, to: number): Value {
  let depth = 0;
  // What a text in quotes opens is no bracket. A quote within a word is none.
  for (const [, quote, bracket] of source.matchAll(/(?<![\p{L}\p{N}])("(?:[^"\\]|\\[^])*"|'(?:[^']|'')*'|["'])|([[\]{}])|(?:^|\s)#[^\n]*/gu)) {
    if (quote?.length === 1) fail(odd);
    if (quote && /\n(?![ \r\n])/.test(quote)) fail(odd);
    if (bracket) depth += "[{".includes(bracket) ? 1 : -1;
  }
  if (depth !== 0) fail(odd);
  return { from, to, style: "OTHER" };
}

/** What stands on the lines below a key. */
function below(text: string, at: number, from: number, end: number): Value {
  const source = text.slice(from, end);
  const lines = source.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const first = lines.findIndex((l) => !isNothing(l));
  if (first < 0) return { from: at, to: at, style: "PLAIN", value: null };
  const start = from + lines.slice(0, first).join("").length;
  if (/^ *\t[ \t]*([\p{L}\p{N}_][^\n]*:|-)([ \r\n]|$)/u.test(lines[first]!)) fail({ fault: "matterTab", at: start });
  const [, indent, dash] = /^([ \t]*)(-(?=[ \r\n]|$))?/.exec(lines[first]!)!;
  if (indent!.includes("\t")) fail(odd);
  if (dash === undefined) {
    const inner = start + indent!.length;
    const plain = !"\"'[{&*!|>".includes(text[inner]!) && !/:([ \t\r]|$)/.test(text.slice(inner, lineEnd(text, inner)));
    return plain && first === 0 ? plainAt(text, inner, end) : rest(source, from, end);
  }
  const items: Value[] = [];
  let place = from;
  for (const line of lines) {
    const here = place;
    place += line.length;
    if (isNothing(line)) continue;
    const [, head] = /^( *- +)[^\s#]/.exec(line) ?? [];
    const item = head && head.indexOf("-") === indent!.length && itemAt(text, here + head.length, here + line.length, false);
    if (!item || !/^[ \t\r\n]*$|^[ \t]+#/.test(text.slice(item.to, place))) return rest(source, from, end);
    items.push(item);
  }
  return { from: start, to: end, style: "LIST", items };
}

/** A text that is an item of a list, on one line; undefined where it is anything else. */
function itemAt(text: string, at: number, end: number, flow: boolean): Value | undefined {
  const first = text[at]!;
  let item: Value;
  if (first === '"' || first === "'") {
    const [quoted] = /^("(?:[^"\\\n]|\\.)*"|'(?:[^'\n]|'')*')/.exec(text.slice(at, end)) ?? [];
    if (!quoted) return undefined;
    item = quotedAt(text, at, at + quoted.length, at);
  } else {
    const [whole = ""] = (flow ? /^[^,[\]{}\n]*/ : /^[^\n]*/).exec(text.slice(at, end))!;
    const plain = withoutComment(whole);
    if (!startsPlain(plain) || /:([ \t]|$)/.test(plain)) return undefined;
    item = { from: at, to: at + plain.length, style: "PLAIN", value: resolve(plain) };
  }
  return typeof item.value === "string" ? item : undefined;
}

const withoutComment = (line: string) => line.replace(/(^|[ \t])#[^]*$/, "$1").trimEnd();

const startsPlain = (s: string) => /^[^\s"'#&*!|>%@`,[\]{}?:-]|^-[^\s,[\]{}]/.test(s);

/** A text without quotes, that may go on over lines which are indented. */
function plainAt(text: string, at: number, end: number): Value {
  const lines = text.slice(at, end).split("\n");
  while (lines.length > 1 && isNothing(lines.at(-1)!)) lines.pop();
  const parts: string[] = [];
  let to = at;
  let place = at;
  lines.forEach((line, i) => {
    const part = withoutComment(line.replace(/\r$/, "")).replace(/^[ \t]+/, "");
    const indented = /^[ \t]*/.exec(line)![0].length;
    if (/:([ \t]|$)/.test(part)) fail({ fault: i === 0 ? "matterColon" : "matterIndent", at: place });
    const ended = part !== line.trim(); // by a comment
    if ((ended && i < lines.length - 1) || (i > 0 && part && (line[0] !== " " || /\t/.test(line.slice(0, indented))))) fail(odd);
    parts.push(part);
    if (part) to = place + (i === 0 ? 0 : indented) + part.length;
    place += line.length + 1;
  });
  if (!startsPlain(parts[0]!)) fail(odd);
  const value = folded(parts);
  return { from: at, to, style: "PLAIN", value: parts.length > 1 ? value : resolve(value) };
}

/** Lines as one: an end of a line is a blank, empty lines are ends of lines. */
const folded = (parts: string[]): string => parts.join("\n").replace(/\n(\n*)/g, (_, more: string) => more || " ");

/** A text in quotes. */
function quotedAt(text: string, at: number, end: number, key: number): Value {
  const mark = text[at]!;
  const [all] = (mark === '"' ? /^"(?:[^"\\]|\\[^])*"/ : /^'(?:[^']|'')*'/).exec(text.slice(at)) ?? [];
  if (all === undefined) return fail({ fault: "matterMissing", at: key });
  const to = at + all.length;
  const lines = all.slice(1, -1).split(/\r?\n/);
  if (to > end || lines.some((l, i) => i > 0 && !/^( |\s*$)/.test(l))) return fail(odd);
  if (mark === '"' && lines.length > 1 && /\\\r?\n|\\[ \t]|\t/.test(all)) return { from: at, to, style: "OTHER" };
  const trimmed = lines.map((l, i) => (i > 0 ? l.replace(/^[ \t]+/, "") : l)).map((l, i) => (i < lines.length - 1 ? l.replace(/[ \t]+$/, "") : l));
  const one = folded(trimmed);
  const value = mark === "'" ? one.replaceAll("''", "'") : unescaped(one);
  if (value === undefined) return fail(odd);
  return { from: at, to, style: mark === '"' ? "DOUBLE" : "SINGLE", value };
}

const escapes: Record<string, string> = { n: "\n", t: "\t", r: "\r", '"': '"', "\\": "\\", "/": "/", "0": "\0", a: "\x07", b: "\b", e: "\x1b", f: "\f", v: "\v", N: "\x85", _: "\xa0", L: "\u2028", P: "\u2029", " ": " " };

function unescaped(s: string): string | undefined {
  let wrong = false;
  const out = s.replace(/\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([^]))/g, (_, x?: string, u?: string, long?: string, c?: string) => {
    const code = parseInt(x ?? u ?? long ?? "", 16);
    if (c !== undefined ? escapes[c] === undefined : code > 0x10ffff) wrong = true;
    return wrong ? "" : c !== undefined ? escapes[c]! : String.fromCodePoint(code);
  });
  return wrong ? undefined : out;
}

/** A list or a mapping in brackets. */
function flowAt(text: string, at: number, end: number, key: number): Value {
  let depth = 0;
  let to = at;
  for (const { 0: all, 1: quote, 2: bracket, index } of text.slice(at).matchAll(/(?<![^\s,[{:])("(?:[^"\\]|\\[^])*"|'(?:[^']|'')*')|([[\]{}])|(?<=\s)#[^\n]*/g)) {
    if (bracket) depth += "[{".includes(bracket) ? 1 : -1;
    if (quote && /\n(?![ \r\n])/.test(quote)) return fail(odd);
    if (depth === 0) {
      to = at + index + all.length;
      break;
    }
  }
  if (depth !== 0) return fail({ fault: "matterMissing", at: key });
  const source = text.slice(at, to);
  if (to > end || /\n(?![ \r\n])/.test(source)) return fail(odd);
  const other: Value = { from: at, to, style: "OTHER" };
  if (source[0] !== "[" || !source.endsWith("]")) return other;
  const items: Value[] = [];
  let place = at + 1;
  const blanks = () => void (place += /^(?:[ \t\r\n]|(?<=\s)#[^\n]*)*/.exec(text.slice(place, to))![0].length);
  for (;;) {
    blanks();
    if (place === to - 1) return { from: at, to, style: "FLOW", items };
    const item = itemAt(text, place, to - 1, true);
    if (!item) return other;
    items.push(item);
    place = item.to;
    blanks();
    if (text[place] === ",") place++;
    else if (place !== to - 1) return other;
  }
}

/** A text below | or >. */
function blockAt(text: string, at: number, end: number): Value {
  const [head, ...lines] = text.slice(at, end).split(/\r?\n/) as [string, ...string[]];
  const [, kind, one, two] = /^([|>])(?:([1-9]|[+-])([1-9]|[+-])?)?(?:[ \t]*$|[ \t]+#)/.exec(head) ?? [];
  const signs = [one, two].filter((s) => s !== undefined);
  if (kind === undefined || signs.filter((s) => /\d/.test(s)).length > 1 || signs.filter((s) => !/\d/.test(s)).length > 1) return fail(odd);
  // A comment without indentation ends the text.
  const ends = lines.findIndex((l) => l[0] === "#");
  const own = ends < 0 ? lines : [...lines.slice(0, ends), ""];
  if (ends >= 0 && !lines.slice(ends).every((l) => /^(#|\s*$)/.test(l))) return fail(odd);
  if (own.at(-1) === "") own.pop();
  const first = own.find((l) => /[^ ]/.test(l)) ?? "";
  const indent = Number(signs.find((s) => /\d/.test(s)) ?? /^ */.exec(first)![0].length);
  if (first && indent === 0) return fail(odd);
  // Readers differ in blanks on empty lines.
  if (own.some((l) => (/^ *$/.test(l) ? l.length > indent : /^ */.exec(l)![0].length < indent))) return fail(odd);
  const parts = own.map((l) => l.slice(indent));
  let last = parts.length;
  while (last > 0 && parts[last - 1] === "") last--;
  const keep = signs.includes("+");
  let value = "";
  if (kind === "|") value = parts.slice(0, last).join("\n");
  else {
    const deep = (i: number) => /^[ \t]/.test(parts[i] ?? "");
    for (let i = 0; i < last; i++) {
      if (parts[i] === "") {
        value += "\n";
        continue;
      }
      let before = i - 1;
      while (before >= 0 && parts[before] === "") before--;
      const joins = before >= 0 && !deep(before) && !deep(i);
      value += before < 0 ? "" : joins ? (before === i - 1 ? " " : "") : "\n";
      value += parts[i];
    }
  }
  if (keep) value += "\n".repeat(parts.length - last + (last > 0 ? 1 : 0));
  else if (!signs.includes("-") && last > 0) value += "\n";
  return { from: at, to: end, style: "BLOCK", value };
}

/** What plain text means by the core schema. Numbers that JSON has not are not finite. */
export function resolve(s: string): string | number | boolean | null {
  if (/^(~|null|Null|NULL|)$/.test(s)) return null;
  if (/^(true|True|TRUE|false|False|FALSE)$/.test(s)) return s[0] === "t" || s[0] === "T";
  if (/^0(o[0-7]+|x[\da-fA-F]+)$/.test(s)) return Number(s);
  if (/^[-+]?(\.\d+|\d+(\.\d*)?)([eE][-+]?\d+)?$/.test(s)) return Number(s);
  return /^([-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))$/.test(s) ? Infinity : s;
}

/** Whether a text without quotes is that text, as the value of a key. */
export const isPlainText = (s: string): boolean => startsPlain(s) && s.trim() === s && !/:(\s|$)|\s#|[\n\r]/.test(s) && resolve(s) === s;
