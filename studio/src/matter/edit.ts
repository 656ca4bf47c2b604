// Sets single keys of front matter: only the lines of that key change, by the byte. What
// cannot be had so is null, and is left to the source.
import { divide, type Given, type Part, type Parts } from "./matter.ts";
import { isPlainText, type Value } from "./yaml.ts";

/** Front matter in which a key has a value; a key that is not there is added at the end. */
export function set(raw: string, name: string, value: Given, eol = "\n"): string | null {
  const m = divide(raw);
  const part = m.fields.find((f) => f.name === name);
  if (!part) return add(raw, name, value, eol);
  return checked(m, splice(raw, part, edited(raw, m, part, value)), name, value);
}

/** Front matter with one more key. Where there is none yet, its lines end as eol says. */
export function add(raw: string, name: string, value: Given, eol = "\n"): string | null {
  const m = divide(raw);
  if (m.fields.some((f) => f.name === name)) return null;
  const text = raw === "" ? `---${eol}${member(name, value, eol)}---${eol}` : splice(raw, { from: m.end, to: m.end }, member(name, value, m.eol));
  return checked(m, text, name, value);
}

/** Front matter without a key; none at all where nothing is left between the fences. */
export function remove(raw: string, name: string): string | null {
  const m = divide(raw);
  const part = m.fields.find((f) => f.name === name);
  if (!part) return null;
  const text = splice(raw, part, "");
  return raw.slice(m.start, part.from).trim() + raw.slice(part.to, m.end).trim() === "" ? "" : checked(m, text, name);
}

const splice = (raw: string, at: { from: number; to: number }, text: string) => raw.slice(0, at.from) + text + raw.slice(at.to);

/** The text, if it says what is wanted and nothing else has changed. */
function checked(before: Parts, text: string, name: string, value?: Given): string | null {
  const after = divide(text);
  if (!before.form || !after.form || after.fault) return null;
  if (before.fields.some((f) => f.name === name && f.given.kind === "other" && /(^|[\s[{,])&\S/.test(f.source))) return null; // others may refer to it
  const others = (m: Parts) => JSON.stringify(m.fields.filter((f) => f.name !== name).map((f) => [f.name, f.source]));
  const now = after.fields.find((f) => f.name === name)?.given;
  const same = value ? !!now && now.kind !== "other" && String(now.value) === String(value.value) && !lost(now, value) : !now;
  return same && others(before) === others(after) ? text : null;
}

// A text that is a day reads as a date afterwards, and an empty one as it was.
const lost = (now: Given, value: Given) => now.kind !== value.kind && !(typeof now.value === "string" && [now.kind, value.kind].every((k) => k === "text" || k === "date"));

/** The lines of a key with another value. */
function edited(raw: string, m: Parts, part: Part, value: Given): string {
  const inner = raw.slice(m.start, m.end);
  const own = (from: number, to: number) => inner.slice(from, to);
  const [from, to] = [part.from - m.start, part.to - m.start];
  const { style, items: had, from: start, to: end, ...old } = part.value;
  if (value.kind === "list") {
    const kept = (v: string) => had!.find((i) => i.value === v); // as it was written
    if (style === "FLOW") return own(from, start) + `[${value.value.map((v) => (kept(v) ? own(kept(v)!.from, kept(v)!.to) : text(v, "PLAIN", true))).join(", ")}]` + own(end, to);
    return (had && value.value.length > 0 && items(inner, from, to, had, value.value, m.eol)) || member(part.name, value, m.eol);
  }
  if (old.value === undefined || style === "BLOCK" || own(from, start).includes("\n")) return member(part.name, value, m.eol);
  return own(from, start) + (/[ \t]/.test(inner[start - 1] ?? "") ? "" : " ") + scalar(value, old.value === null || old.value === "" ? "PLAIN" : style) + (inner[end] === "#" ? " " : "") + own(end, to);
}

/** The lines of a list in block form: items that stay keep theirs, with comments. */
function items(inner: string, from: number, to: number, list: Value[], values: string[], eol: string): string | null {
  const after = (at: number) => inner.indexOf("\n", at) + 1 || inner.length;
  const head = after(from);
  let at = head;
  const old = list.map((item) => {
    const line = inner.slice(inner.lastIndexOf("\n", item.from) + 1, item.from);
    const text = inner.slice(at, (at = after(item.from)));
    return { value: item.value, text, dash: /^([ \t]*)- +$/.exec(line)?.[1] };
  });
  const indent = old[0]?.dash;
  if (indent === undefined || old.some((o) => o.dash === undefined)) return null;
  const lines = values.map((v) => {
    const i = old.findIndex((o) => o.value === v);
    return i >= 0 ? old.splice(i, 1)[0]!.text : `${indent}- ${text(v)}${eol}`;
  });
  return inner.slice(from, head) + lines.join("") + inner.slice(at, to);
}

/** A key as the server writes it. */
function member(name: string, value: Given, eol: string): string {
  if (value.kind !== "list") return `${text(name)}: ${scalar(value)}${eol}`;
  if (value.value.length === 0) return `${text(name)}: []${eol}`;
  return `${text(name)}:${eol}${value.value.map((v) => `  - ${text(v)}${eol}`).join("")}`;
}

function scalar(value: Exclude<Given, { kind: "list" }>, style?: Value["style"]): string {
  switch (value.kind) {
    case "flag":
      return String(value.value);
    case "text":
      return style === "PLAIN" && isTime(value.value) ? value.value : text(value.value, style);
    default:
      return value.value;
  }
}

const isTime = (s: string) => /^\d{4}-[\d\-:.+TZ ]{5,}$/.test(s) && isPlainText(s);

/** A text in the quotes that it had, else plain where that reads as the same text. */
function text(s: string, style?: Value["style"], inFlow = false): string {
  if (style === "SINGLE" && printable(s)) return `'${s.replaceAll("'", "''")}'`;
  if (style !== "DOUBLE" && style !== "SINGLE" && isPlain(s) && !(inFlow && s.includes(","))) return s;
  return `"${Array.from(s.replace(/\p{Surrogate}/gu, "\uFFFD"), escaped).join("")}"`;
}

const printed = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;
const printable = (s: string) => Array.from(s).every((c) => printed.test(c));

function escaped(c: string): string {
  if (c === '"' || c === "\\") return "\\" + c;
  if (c === "\n") return "\\n";
  if (c === "\t") return "\\t";
  return c > "\uFFFF" || c.length > 1 || printed.test(c) ? c : "\\u" + c.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
}

/** Careful rather than exact, as on the server. */
function isPlain(s: string): boolean {
  if (s === "" || s.trim() !== s || s.includes(": ") || s.includes(" #") || s.endsWith(":")) return false;
  const fits = Array.from(s).every((c, i) => /[a-zA-Z]/.test(c) || (c >= "\x80" && c.length === 1 && printed.test(c)) || (i > 0 && /[0-9 _\-./:()+,']/.test(c)));
  return fits && isPlainText(s);
}
