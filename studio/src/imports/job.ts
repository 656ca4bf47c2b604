import type { ProblemBody } from "../api/types.ts";

/** What a file can be read as, beside "auto" and "files", with names. */
export const systems = {
  astro: "Astro Starlight", bookstack: "BookStack", confluence: "Confluence", docusaurus: "Docusaurus", gitbook: "GitBook", html: "HTML", hugo: "Hugo",
  jekyll: "Jekyll", mdbook: "mdBook", mintlify: "Mintlify", mkdocs: "MkDocs", myst: "MyST, Sphinx", nextra: "Nextra", notion: "Notion", nuxt: "Nuxt Content",
  obsidian: "Obsidian", outline: "Outline", vitepress: "VitePress, VuePress", wikijs: "Wiki.js",
};

export interface Options {
  from: string;
  set?: string;
  gone: "keep" | "draft" | "delete";
  status: "draft" | "published";
  parentId?: string;
  as: "pages" | "proposal";
  overwrite: boolean;
  dryRun: boolean;
}

export const kinds = ["skipped", "created", "updated", "deleted", "unchanged"] as const;
type Action = (typeof kinds)[number];
/** "kept" are files that changed on both sides, of any action. */
export type Kind = Action | "kept";

export interface Job {
  id: string;
  status: "queued" | "running" | "ready" | "failed" | "cancelled";
  name: string;
  options: Options;
  progress: { done: number; total: number };
  report?: { from: string; set: string; share: number; sums: Record<Kind, number>; proposalId?: string };
  error?: ProblemBody;
  createdAt: string;
}

export interface Line {
  path: string;
  id?: string;
  action: Action;
  notes: { line: number; message: string; here?: string; file?: string }[];
}

export const ended = (job: Job): boolean => job.status !== "queued" && job.status !== "running";

const kept = (l: Line): boolean => l.notes.some((n) => n.here !== undefined || n.file !== undefined);

/** Lines by what became of their files, those that changed on both sides first. */
export function grouped(lines: readonly Line[]): [Kind, Line[]][] {
  const groups = kinds.map((kind): [Kind, Line[]] => [kind, lines.filter((l) => l.action === kind)]);
  return [["kept", lines.filter(kept)] as [Kind, Line[]], ...groups].filter(([, list]) => list.length > 0);
}
