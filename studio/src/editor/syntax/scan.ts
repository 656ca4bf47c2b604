// Tags, expressions and statements of MDX, read as the server reads them.

/** Where a part of a text is. */
export type Span = readonly [from: number, to: number];

export interface Tag {
  /** What a tag starts and ends with: "<", "</" and ">", "/>". */
  open: Span;
  close: Span;
  /** Empty in a fragment, <>. */
  name: Span;
  parts: { kind: "name" | "value" | "expression"; at: Span }[];
}

/** No tag, or one that goes on behind the text. */
type Failure = "none" | "more";

const space = /[ \t\n]*/y;
const tagName = /[A-Za-z][\w.:-]*/y;
const attributeName = /[A-Za-z_:$@][\w.:$@-]*/y;
const bareValue = /[^\s"'=<>`]+/y;

function take(pattern: RegExp, s: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(s) ? pattern.lastIndex : at;
}

/** The longest tag that is read, as in the server. */
const longest = 8 << 10;

export function scanTag(s: string, from: number): Tag | Failure {
  let at = from + (s[from + 1] === "/" ? 2 : 1);
  const open: Span = [from, at];
  const name: Span = [at, take(tagName, s, at)];
  at = name[1];
  if (name[0] === at && s[at] !== ">") return "none";
  const parts: Tag["parts"] = [];
  const closing = open[1] - from === 2;
  for (const last = from + longest; at < last; ) {
    at = take(space, s, at);
    if (at === s.length) return "more";
    if (s[at] === ">") return { open, name, parts, close: [at, at + 1] };
    if (s.startsWith("/>", at) && !closing) return { open, name, parts, close: [at, at + 2] };
    if (closing) return "none";
    if (s[at] !== "{") {
      const end = take(attributeName, s, at);
      if (end === at) return s[at] === "/" && at + 1 === s.length ? "more" : "none";
      parts.push({ kind: "name", at: [at, end] });
      const equals = take(space, s, end);
      if (s[equals] !== "=") {
        at = end;
        continue;
      }
      at = take(space, s, equals + 1);
      if (at === s.length) return "more";
    }
    const end = valueEnd(s, at);
    if (typeof end === "string") return end;
    parts.push({ kind: s[at] === "{" ? "expression" : "value", at: [at, end] });
    at = end;
  }
  return "none";
}

function valueEnd(s: string, at: number): number | Failure {
  const c = s[at]!;
  if (c === "{") return scanExpression(s, at);
  if (c === '"' || c === "'" || c === "`") {
    const end = s.indexOf(c, at + 1);
    return end < 0 ? "more" : end + 1;
  }
  const end = take(bareValue, s, at);
  return end === at ? "none" : end;
}

/** What is no code: strings, templates and comments. An open quote is an apostrophe. */
const skipped = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[^])*`|\/\*[^]*?\*\/|(?<=^|[\s{;,])\/\/[^\n]*|\/\*/y;

/** The end of the braces that open at a place, or that they go on. */
export function scanExpression(s: string, from: number): number | "more" {
  let depth = 0;
  for (let at = from; at < s.length; ) {
    const next = take(skipped, s, at);
    if (next > at) {
      if (next - at === 2 && s.startsWith("/*", at)) return "more";
      at = next;
      continue;
    }
    if (s[at] === "{") depth++;
    if (s[at] === "}" && --depth === 0) return at + 1;
    at++;
  }
  return "more";
}

/** How many brackets a piece of code leaves open. */
export function openBrackets(s: string): number {
  let depth = 0;
  for (let at = 0; at < s.length; ) {
    const next = take(skipped, s, at);
    if (next === at && "{([".includes(s[at]!)) depth++;
    if (next === at && "})]".includes(s[at]!)) depth--;
    at = Math.max(next, at + 1);
  }
  return depth;
}

const from = String.raw`\s*from\s*(?:"[^"]*"|'[^']*')[ \t]*(?:$|[;/]|with |assert )`;
const statement = new RegExp(
  [
    String.raw`^import\s*(?:\{|\*\s*as )`,
    String.raw`^import\s*(?:"[^"]*"|'[^']*')[ \t]*(?:$|[;/]|with |assert )`,
    String.raw`^import\s+[\w$]+(?:\s*,\s*[{*]|${from})`,
    String.raw`^export (?:\{|\*\s*(?:from|as )|(?:const|let|var)\s+(?:[{[]|[\w$]+\s*(?:$|[=:,;]))|function\s*[\w$]*\s*[(<*]|async\s+function|class\s+[\w$]+\s*(?:[{<]|extends |implements ))`,
    String.raw`^export default(?:\s+(?:function|class|async|new|await|typeof)\b|\s*[^\s\w$,.:;!?)]|\s+[\w$]+\s*(?:$|[;(=<{[?/\x60]|\.[A-Za-z]))`,
  ].join("|"),
);

/** Whether MDX sees a statement in a line, and not a sentence. */
export function startsModule(line: string): boolean {
  return statement.test(line);
}
