import type { Change, Dialect, Fields, Page, Status } from "../api/types.ts";

/** The page as the writer sees it. */
export interface Work {
  title: string;
  slug: string;
  content: string;
  /** Front matter as text with its lines ---, undefined as long as nobody has edited it. */
  frontmatterRaw: string | undefined;
  status: Status;
  parentId: string | null;
  publishAt: string | null;
  unpublishAt: string | null;
  dialect: Dialect | null;
}

const members = ["title", "slug", "content", "frontmatterRaw", "status", "parentId", "publishAt", "unpublishAt", "dialect"] as const;

export const blank = (parentId: string | null): Work => ({
  title: "",
  slug: "",
  content: "",
  frontmatterRaw: undefined,
  status: "draft",
  parentId,
  publishAt: null,
  unpublishAt: null,
  dialect: null,
});

export const workOf = (p: Page): Work => ({
  title: p.title,
  slug: p.slug,
  content: p.content,
  frontmatterRaw: undefined,
  status: p.status,
  parentId: p.parentId ?? null,
  publishAt: p.publishAt ?? null,
  unpublishAt: p.unpublishAt ?? null,
  dialect: p.dialect ?? null,
});

export const same = (a: Work, b: Work): boolean => a === b || members.every((m) => a[m] === b[m]);

/** What is sent for a page that has no name yet: the server wants a title and a slug. */
export const untitled = "Untitled";
const nameless = /^untitled-[a-z0-9]{12}$/;

/** The work with the names of another where it has none. */
export const named = (w: Work, by: Pick<Work, "title" | "slug">): Work => (w.title && w.slug ? w : { ...w, title: w.title || by.title, slug: w.slug || by.slug });

/** The members of a change that makes the new page. unique stands in for a slug. */
export function created(w: Work, unique: string): Fields {
  const fields: Fields = { title: w.title || untitled, slug: w.slug || `untitled-${unique}`, content: w.content, status: w.status, parentId: w.parentId };
  if (w.frontmatterRaw !== undefined) fields.frontmatterRaw = w.frontmatterRaw;
  if (w.publishAt !== null) fields.publishAt = w.publishAt;
  if (w.unpublishAt !== null) fields.unpublishAt = w.unpublishAt;
  if (w.dialect !== null) fields.dialect = w.dialect;
  return fields;
}

/** The members of a change that makes the work of the base. */
export function updated(base: Work, w: Work): Fields {
  const entries = members.filter((m) => w[m] !== undefined && w[m] !== base[m]).map((m) => [m, w[m]]);
  return Object.fromEntries(entries) as Fields;
}

/** The page as a change makes it of the base. */
export function drafted(base: Work, change: Change): Work {
  const entries = members.filter((m) => change[m] !== undefined).map((m) => [m, change[m]]);
  const work = { ...base, ...(Object.fromEntries(entries) as Partial<Work>) };
  if (change.op !== "create" || !nameless.test(work.slug)) return work;
  return { ...work, slug: "", title: work.title === untitled ? "" : work.title };
}

/** Tells texts apart that were sent from those of others, without keeping them. */
export function fingerprint(w: Work): string {
  let a = 0x811c9dc5;
  let b = 0x41c6ce57;
  let size = 0;
  for (const m of members) {
    const text = w[m] === undefined ? "u" : w[m] === null ? "n" : "s" + w[m];
    size += text.length;
    for (let i = 0; i <= text.length; i++) {
      const unit = i < text.length ? text.charCodeAt(i) : 0x10000;
      a = Math.imul(a ^ unit, 0x01000193);
      b = Math.imul(b ^ unit, 0x5bd1e995);
      b ^= b >>> 15;
    }
  }
  return `${size}.${a >>> 0}.${b >>> 0}`;
}
