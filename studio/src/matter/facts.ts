// What the details of a page are checked and shown by.
import type { ProblemBody, TreePage } from "../api/types.ts";
import type { Word } from "../words.ts";

/** What is wrong with a slug, as the server sees it. */
export function slugFault(slug: string): Word | undefined {
  if (slug === "") return "matterSlugEmpty";
  if (slug.length > 512) return "matterSlugLong";
  return /^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug) ? undefined : "matterSlugForm";
}

/** The identifiers of all pages below one. */
export function below(tree: TreePage[], id: string): Set<string> {
  const found = new Set([id]);
  // The tree lists a page before those below it.
  for (const p of tree) if (p.parentId !== null && found.has(p.parentId)) found.add(p.id);
  found.delete(id);
  return found;
}

export interface Choice {
  id: string;
  title: string;
  path: string; // the titles above it
}

/** The pages that another may stand below, those first whose title begins with the words. */
export function parents(tree: TreePage[], id: string | null, words: string, most: number): { shown: Choice[]; more: number } {
  const barred = id === null ? new Set<string>() : below(tree, id).add(id);
  const byId = new Map(tree.map((p) => [p.id, p]));
  const wanted = words.trim().toLowerCase();
  const fits = tree.filter((p) => !barred.has(p.id) && (p.title.toLowerCase().includes(wanted) || p.slug.includes(wanted)));
  const rank = (p: TreePage) => (p.title.toLowerCase().startsWith(wanted) ? 0 : 1);
  if (wanted) fits.sort((a, b) => rank(a) - rank(b));
  const shown = fits.slice(0, most).map((p) => ({ id: p.id, title: p.title, path: pathOf(byId, p) }));
  return { shown, more: fits.length - shown.length };
}

function pathOf(byId: Map<string, TreePage>, page: TreePage): string {
  const titles: string[] = [];
  const deepest = 32;
  for (let at = byId.get(page.parentId ?? ""); at && titles.length < deepest; at = byId.get(at.parentId ?? "")) titles.unshift(at.title);
  return titles.join(" › ");
}

const two = (n: number) => String(n).padStart(2, "0");

/** A moment as a field for date and time shows it, in the time zone of the browser. */
export function toField(iso: string | null): string {
  if (!iso) return "";
  const d = new Date(iso);
  return `${String(d.getFullYear()).padStart(4, "0")}-${two(d.getMonth() + 1)}-${two(d.getDate())}T${two(d.getHours())}:${two(d.getMinutes())}`;
}

/** The moment that such a field means, null for none. */
export function fromField(text: string): string | null {
  const d = new Date(text);
  return text === "" || Number.isNaN(d.getTime()) ? null : d.toISOString();
}

/** What the server says of one member, such as slug of /changes/0/slug. */
export function saidOf(body: ProblemBody | undefined, member: string): string {
  const errors = (body?.errors ?? []) as { path?: string; message?: string }[];
  const said = errors.filter((e) => e.path?.split(/[/.]/).at(-1) === member).map((e) => e.message ?? "");
  const conflicts = (body?.conflicts ?? []).filter((c) => c.member === member || (member === "slug" && c.kind === "slug-taken"));
  return [...said, ...conflicts.map((c) => c.message)].filter((text, i, all) => text && all.indexOf(text) === i).join(" ");
}
