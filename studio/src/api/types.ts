// What Studio uses of the nouns of the API. The OpenAPI document has all of them.

export type Status = "draft" | "published" | "archived";

/** The kinds of Markdown that pages are written in. */
export const dialects = ["markdown", "mdx", "mkdocs", "docusaurus", "gitbook", "hugo", "mdbook", "vitepress", "obsidian", "myst", "jekyll"] as const;
export type Dialect = (typeof dialects)[number];

export interface Page {
  id: string;
  title: string;
  slug: string;
  status: Status;
  content: string;
  frontmatter?: Record<string, unknown>;
  frontmatterRaw?: string; // where it was asked for
  parentId?: string | null;
  position?: number;
  publishAt?: string;
  unpublishAt?: string;
  dialect?: Dialect;
  source?: string;
  createdAt: string;
  updatedAt: string;
}

export interface TreePage {
  id: string;
  title: string;
  slug: string;
  status: Status;
  parentId: string | null;
  position?: number;
  children: number;
}

/** The members of a page that a change sets. Those that are absent stay as they are. */
export interface Fields {
  title?: string;
  slug?: string;
  content?: string;
  frontmatterRaw?: string;
  status?: Status;
  parentId?: string | null;
  publishAt?: string | null;
  unpublishAt?: string | null;
  dialect?: Dialect | null;
}

export interface Change extends Fields {
  frontmatter?: Record<string, unknown>;
  id: string;
  op: "create" | "update" | "delete" | "restore";
  pageId?: string;
  baseRevision?: number;
  base?: { version: number; revision: number; status: Status; parentId: string | null; position?: number };
  children?: "cascade" | "reparent";
}

export type ProposalStatus = "draft" | "open" | "merged" | "closed";

export interface Proposal {
  id: string;
  title: string;
  description: string;
  status: ProposalStatus;
  origin: string;
  author: Person;
  reviewers: string[];
  changes: Change[];
  version: number;
  createdAt: string;
  updatedAt: string;
}

export interface Person {
  id: string;
  name: string;
  role?: string;
}

export interface Revision {
  number: number;
  title: string;
  slug: string;
  content?: string;
  frontmatter?: Record<string, unknown>;
  frontmatterRaw?: string; // where it was asked for
  author: Person;
  createdAt: string;
  proposalId?: string;
  mergedBy?: Person;
}

export interface Asset {
  id: string;
  url: string;
  name?: string;
  contentType: string;
  size: number;
  width?: number;
  height?: number;
  pending?: boolean;
}

export interface Rendered {
  html: string;
  headings: { level: number; text: string; anchor: string; line: number }[];
  links: { href: string; line: number; state: "ok" | "broken" | "external" }[];
  notices: { line: number; column: number; message: string }[];
}

export interface Check {
  changeId: string;
  kind: "conflict" | "slug-taken" | "broken-link" | "parent-missing" | "notice";
  severity: "error" | "warning";
  message: string;
  line?: number;
}

/** A member in which a change and the page as it is now disagree. */
export interface Conflict {
  changeId: string;
  pageId?: string;
  revision?: number;
  kind: string;
  member?: string;
  message: string;
  hunks?: { line: number; base: string[]; present: string[]; proposed: string[] }[];
  base?: unknown;
  present?: unknown;
  proposed?: unknown;
}

/** Where the next slice of a list begins; without a cursor there is none. */
export interface Pagination {
  cursor?: string;
  hasMore: boolean;
}

export interface List<T> {
  data: T[];
  pagination?: Pagination;
}

/** RFC 9457, with the members that Octavo adds. */
export interface ProblemBody {
  type: string;
  title: string;
  status: number;
  detail?: string;
  errors?: { path: string; message: string }[];
  conflicts?: Conflict[];
}
