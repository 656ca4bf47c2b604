import type { Status } from "../api/types.ts";

/** What decides what can be done with the page on the screen. */
export interface Standing {
  live: Status | null; // null while nobody else has seen the page
  dirty: boolean; // the draft differs from the page
  mayWrite: boolean;
}

export type Action = "publish" | "saveDraft" | "askForReview" | "discard" | "unpublish";

/** The buttons of the head, the first of which is the main one, and what its menu adds. */
export function actionsOf(s: Standing): { buttons: Action[]; menu: Action[] } {
  const buttons: Action[] = [];
  if (s.mayWrite) buttons.push("publish");
  if (s.mayWrite && (s.live === null || s.live === "draft")) buttons.push("saveDraft");
  if (!s.mayWrite || s.dirty) buttons.push("askForReview");
  if (s.dirty) buttons.push("discard");
  return { buttons, menu: s.mayWrite && s.live === "published" ? ["unpublish"] : [] };
}

/** Whether an action has anything to do. */
export function enabled(a: Action, s: Standing): boolean {
  return s.dirty || (a === "publish" && s.live !== null && s.live !== "published") || a === "unpublish";
}
