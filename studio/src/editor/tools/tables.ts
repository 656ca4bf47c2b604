// Tables of Markdown as text: taken apart, changed and put together. Nothing here knows an
// editor.

export type Side = "" | "left" | "center" | "right";

export interface Row {
  cells: string[];
  raw?: string; // as it was written, until it changes
}

export interface Table {
  prefix: string; // what stands before each line, such as of a quotation
  sides: Side[];
  rows: Row[]; // the header first, without the line below it
  rule?: string; // that line as it was written, until it changes
}

export interface Place {
  row: number;
  column: number;
}

const rule = /^\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;
const begins = /^[\s>]*/;

/** Where the cells of a line are, without blanks around them. */
export function cellsOf(line: string): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = [];
  let from = begins.exec(line)![0].length;
  if (line[from] === "|") from++;
  const end = line.trimEnd().length;
  for (let i = from; i <= end; i++) {
    if (line[i] === "\\") i++;
    else if (line[i] === "|" || (i === end && (line[end - 1] !== "|" || line[end - 2] === "\\"))) {
      const text = line.slice(from, i);
      const start = text.trim() ? from + text.length - text.trimStart().length : from + Math.min(1, text.length);
      found.push({ from: start, to: start + text.trim().length });
      from = i + 1;
    }
  }
  return found;
}

const read = (line: string): string[] => cellsOf(line).map((c) => line.slice(c.from, c.to));

export const isRule = (line: string): boolean => line.includes("-") && rule.test(line.slice(begins.exec(line)![0].length));

/** The first and last of the lines around the one at n that are a table. */
export function extent(line: (n: number) => string, count: number, n: number): { first: number; last: number } | undefined {
  const inside = (i: number) => i >= 0 && i < count && line(i).includes("|");
  if (!inside(n)) return undefined;
  let first = n;
  while (inside(first - 1) && !isRule(line(first))) first--;
  if (isRule(line(first))) first--; // the header is above the rule
  else if (isRule(line(n + 1))) first = n;
  else return undefined;
  if (!inside(first) || !isRule(line(first + 1))) return undefined;
  if (/^[\s>]*(?:[-*+]|\d{1,9}[.)])\s/.test(line(first))) return undefined; // it begins behind the mark of a list
  let last = Math.max(n, first + 1);
  while (inside(last + 1)) last++;
  return { first, last };
}

export function parse(lines: string[]): Table {
  const sides = read(lines[1]!).map((c): Side => (c.startsWith(":") ? (c.endsWith(":") && c.length > 1 ? "center" : "left") : c.endsWith(":") ? "right" : ""));
  const rows = lines.filter((_, i) => i !== 1).map((raw) => ({ raw, cells: read(raw) }));
  return { prefix: begins.exec(lines[0]!)![0], sides, rows, rule: lines[1]! };
}

// Letters of East Asia and emoji take two columns in a fixed font; marks and joiners none.
const none = /[\p{Mn}\p{Me}\p{Cf}\uFE0F]/u;
const wide = /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1F64F}\u{1F680}-\u{1FAFF}\u{20000}-\u{3FFFD}]|\p{Emoji_Presentation}/u;

export function width(text: string): number {
  let n = 0;
  for (const c of text) n += none.test(c) ? 0 : wide.test(c) ? 2 : 1;
  return n;
}

function pad(text: string, to: number, side: Side): string {
  const room = Math.max(0, to - width(text));
  const left = side === "right" ? room : side === "center" ? room >> 1 : 0;
  return " ".repeat(left) + text + " ".repeat(room - left);
}

/** The lines of a table. Those that were not changed are as they were. */
export function write(t: Table): string[] {
  const columns = t.sides.length;
  const widths = t.sides.map((_, i) => Math.max(3, ...t.rows.map((r) => width(r.cells[i] ?? ""))));
  const line = (cells: string[]) => `${t.prefix}| ${cells.join(" | ")} |`;
  const made = t.rows.map((r) => r.raw ?? line([...widths.map((w, i) => pad(r.cells[i] ?? "", w, t.sides[i]!)), ...r.cells.slice(columns)]));
  const dashes = widths.map((w, i) => {
    const s = t.sides[i]!;
    const [l, r] = [s === "left" || s === "center" ? ":" : "", s === "right" || s === "center" ? ":" : ""];
    return l + "-".repeat(w - l.length - r.length) + r;
  });
  made.splice(1, 0, t.rule ?? line(dashes));
  return made;
}

/** Every line is written anew. */
export function align(t: Table): Table {
  return { prefix: t.prefix, sides: t.sides, rows: t.rows.map((r) => ({ cells: r.cells })) };
}

const swap = <T>(list: T[], a: number, b: number): void => {
  const held = list[a]!;
  list[a] = list[b]!;
  list[b] = held;
};

export type Edit = (t: Table, at: Place) => Place | undefined;

/** Each changes a table in place and says where the cursor comes; undefined is for what cannot be. */
export const edits = {
  addRow: (t, at) => {
    const row = Math.max(0, at.row) + 1;
    t.rows.splice(row, 0, { cells: t.sides.map(() => "") });
    return { row, column: 0 };
  },
  removeRow: (t, at) => {
    if (at.row < 1) return undefined; // a table has a header
    t.rows.splice(at.row, 1);
    return { row: Math.min(at.row, t.rows.length - 1), column: at.column };
  },
  moveRowUp: (t, at) => {
    if (at.row < 2) return undefined;
    swap(t.rows, at.row, at.row - 1);
    return { row: at.row - 1, column: at.column };
  },
  moveRowDown: (t, at) => {
    if (at.row < 1 || at.row + 1 >= t.rows.length) return undefined;
    swap(t.rows, at.row, at.row + 1);
    return { row: at.row + 1, column: at.column };
  },
  addColumn: (t, at) =>
    columns(t, (list, empty) => list.splice(at.column + 1, 0, empty), { row: at.row, column: at.column + 1 }),
  removeColumn: (t, at) =>
    t.sides.length < 2 ? undefined : columns(t, (list) => list.splice(at.column, 1), { row: at.row, column: Math.max(0, at.column - 1) }),
  moveColumnLeft: (t, at) =>
    at.column < 1 ? undefined : columns(t, (list) => swap(list, at.column, at.column - 1), { row: at.row, column: at.column - 1 }),
  moveColumnRight: (t, at) =>
    at.column + 1 >= t.sides.length ? undefined : columns(t, (list) => swap(list, at.column, at.column + 1), { row: at.row, column: at.column + 1 }),
} satisfies Record<string, Edit>;

function columns(t: Table, change: <T>(list: T[], empty: T) => void, to: Place): Place {
  for (const r of t.rows) {
    while (r.cells.length < t.sides.length) r.cells.push("");
    change(r.cells, "");
    delete r.raw;
  }
  change<Side>(t.sides, "");
  delete t.rule;
  return to;
}

/** What a spreadsheet puts on the clipboard, as a table of Markdown; undefined for other text. */
export function fromSpreadsheet(text: string, lineBreak: string): string[] | undefined {
  const rows: string[][] = [[]];
  const cell = /(?:"((?:[^"]|"")*)"(?=[\t\r\n]|$)|([^\t\r\n]*))(\t|\r\n|\n|\r|$)/gy;
  const whole = text.replace(/\r?\n$/, "");
  for (let m = cell.exec(whole); m; m = cell.exec(whole)) {
    rows.at(-1)!.push((m[1]?.replaceAll('""', '"') ?? m[2]!).trim());
    if (!m[3]) break;
    if (m[3] !== "\t") rows.push([]);
  }
  const count = rows[0]!.length;
  // Code that is indented by tabs has nothing in the first column.
  if (rows.length < 2 || count < 2 || rows.some((r) => r.length !== count) || rows.every((r) => !r[0])) return undefined;
  const cells = rows.map((r) => ({ cells: r.map((c) => c.replaceAll("|", "\\|").replace(/\r\n|[\r\n]/g, lineBreak)) }));
  return write({ prefix: "", sides: rows[0]!.map(() => ""), rows: cells });
}
