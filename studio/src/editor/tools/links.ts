import type { TreePage } from "../../api/types.ts";

// Where a link is being written, and which pages may be meant. Nothing here knows an editor.

export interface LinkPlace {
  kind: "page" | "wiki" | "picture";
  query: string; // what is typed of the address
  length: number; // how much is replaced, more than the query for [[
  end: ")" | ""; // what has to come behind it
}

const picture = /!\[[^\[\]]*\]\(<?([^()<>]*)$/;
const inText = /\]\(<?([^()<>]*)$/;
const wiki = /\[\[([^\[\]]*)$/;
const inTag = /<[A-Za-z][^<>]*\s(href|to|src)=["']([^"'<>]*)$/;
const inBraces = /\{[^{}]*href="([^"{}]*)$/;

/** What kind of address the text before the cursor ends in. */
export function linkPlace(before: string): LinkPlace | undefined {
  let m = inText.exec(before);
  if (m) return { kind: picture.test(before) ? "picture" : "page", query: m[1]!, length: m[1]!.length, end: m[0].includes("<") ? "" : ")" };
  m = inTag.exec(before);
  if (m) return { kind: m[1] === "src" ? "picture" : "page", query: m[2]!, length: m[2]!.length, end: "" };
  m = inBraces.exec(before);
  if (m) return { kind: "page", query: m[1]!, length: m[1]!.length, end: "" };
  m = wiki.exec(before);
  if (m) return { kind: "wiki", query: m[1]!, length: m[0].length, end: "" };
  return undefined;
}

interface Entry {
  page: TreePage;
  title: string;
  slug: string;
}

const known = new WeakMap<readonly TreePage[], Entry[]>();

function entries(pages: readonly TreePage[]): Entry[] {
  let list = known.get(pages);
  if (!list) {
    list = pages.map((page) => ({ page, title: page.title.toLowerCase(), slug: page.slug.toLowerCase() }));
    known.set(pages, list);
  }
  return list;
}

/** The pages whose titles or slugs have what was typed, the likeliest first. */
export function findPages(pages: readonly TreePage[], query: string, most: number): TreePage[] {
  const text = query.toLowerCase().replace(/^[./]+/, "").trim();
  const words = text.split(/[\s/-]+/).filter(Boolean);
  const ranks: TreePage[][] = [[], [], []];
  for (const e of entries(pages)) {
    const rank = e.title.startsWith(text) || e.slug.startsWith(text) ? 0 : e.title.includes(" " + text) ? 1 : 2;
    if (rank === 2 && !words.every((w) => e.title.includes(w) || e.slug.includes(w))) continue;
    ranks[rank]!.push(e.page);
    if (rank === 0 && ranks[0]!.length >= most) break;
  }
  return ranks.flat().slice(0, most);
}

/** The address to write: from the root by slug, which leads to the page from wherever it stands. */
export const addressOfPage = (p: TreePage): string => "/" + p.slug;

/** The page that an address leads to, of those in the tree. */
export function pageAt(pages: readonly TreePage[], address: string): TreePage | undefined {
  const name = address.replace(/^\/+/, "");
  return pages.find((p) => p.slug === name || p.id === name);
}

export const escapeLabel = (text: string): string => text.replace(/[\\[\]]/g, "\\$&").replace(/\s+/g, " ");

/** The address of a file in texts: from /files/ on, without what signs it. */
export function addressOfFile(url: string): string {
  const path = url.split(/[?#]/)[0]!;
  const at = path.indexOf("/files/");
  return at < 0 ? path : path.slice(at);
}

/** Headings in the HTML of a page, which the server made. */
export function headingsIn(html: string): { level: number; text: string; anchor: string }[] {
  const entity: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#34": '"', "#39": "'" };
  const plain = (s: string) => s.replace(/<[^>]*>/g, "").replace(/&([\w#]+);/g, (all, name: string) => entity[name] ?? all).trim();
  return [...html.matchAll(/<h([1-6])\b[^>]*?\sid="([^"]*)"[^>]*>([\s\S]*?)<\/h\1>/g)].map((m) => ({ level: Number(m[1]), anchor: plain(m[2]!), text: plain(m[3]!) }));
}
