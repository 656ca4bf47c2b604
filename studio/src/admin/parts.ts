import { may } from "../session.ts";
import type { Word } from "../words.ts";

/** The screens for those who run the site. The first that somebody may see is shown first. */
export const parts = {
  activity: { title: "partActivity", scope: "pages:propose" },
  assets: { title: "partAssets", scope: "pages:propose" },
  links: { title: "partLinks", scope: "pages:propose" },
  deleted: { title: "partDeleted", scope: "pages:write" },
  exports: { title: "partExports", scope: "pages:propose" },
  redirects: { title: "partRedirects", scope: "pages:write" },
  feedback: { title: "partFeedback", scope: "pages:write" },
  queries: { title: "partQueries", scope: "admin" },
  site: { title: "partSite", scope: "admin" },
  people: { title: "partPeople", scope: "admin" },
  keys: { title: "partKeys", scope: "admin" },
  applications: { title: "partApplications", scope: "admin" },
  webhooks: { title: "partWebhooks", scope: "admin" },
  audit: { title: "partAudit", scope: "admin" },
  health: { title: "partHealth", scope: "admin" },
} as const satisfies Record<string, { title: Word; scope: Parameters<typeof may>[0] }>;

export type Part = keyof typeof parts;

export const isPart = (name: string): name is Part => Object.hasOwn(parts, name);

/** The parts that whoever is signed in may see. */
export const allowed = (): Part[] => (Object.keys(parts) as Part[]).filter((p) => may(parts[p].scope));
