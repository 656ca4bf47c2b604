// What Studio says, in each language. A text with {0} takes arguments. Each area has its
// words in a file of its own below words/: one line in each of the four lists here.

import { history } from "./words/history.ts";
import { editor } from "./words/editor.ts";
import * as shell from "./words/shell.ts";
import { matter } from "./words/matter.ts";
import * as page from "./words/page.ts";
import { preview } from "./words/preview.ts";

const common = {
  newPage: "New page",
  title: "Title",
  content: "Content",
  preview: "Preview",
  publish: "Publish",
  saveDraft: "Save draft",
  askForReview: "Ask for review",
  discard: "Discard",
  history: "History",
  restore: "Restore",
  merge: "Merge",
  signIn: "Sign in",
  signOut: "Sign out",
  saved: "Saved",
  saving: "Saving",
  onlyHere: "Not saved: only on this device",
  signedOut: "Signed out",
  conflict: "Conflict",
  pages: "Pages",
  loading: "Loading",
};

const commonDe: typeof common = {
  newPage: "Neue Seite",
  title: "Titel",
  content: "Inhalt",
  preview: "Vorschau",
  publish: "Veröffentlichen",
  saveDraft: "Entwurf speichern",
  askForReview: "Um Prüfung bitten",
  discard: "Verwerfen",
  history: "Verlauf",
  restore: "Wiederherstellen",
  merge: "Zusammenführen",
  signIn: "Anmelden",
  signOut: "Abmelden",
  saved: "Gespeichert",
  saving: "Wird gespeichert",
  onlyHere: "Nicht gespeichert: nur auf diesem Gerät",
  signedOut: "Abgemeldet",
  conflict: "Konflikt",
  pages: "Seiten",
  loading: "Lädt",
};

const en = { ...common, ...shell.en, ...history.en, ...page.en, ...preview.en };
const de: typeof en = { ...commonDe, ...shell.de, ...history.de, ...page.de, ...preview.de };

/** The areas, which have no word in common. */
export const areas = [{ en: common, de: commonDe }, shell, history, page, preview];
const en = { ...common, ...editor.en, ...shell.en, ...page.en, ...preview.en };
const de: typeof en = { ...commonDe, ...editor.de, ...shell.de, ...page.de, ...preview.de };

/** The areas, which have no word in common. */
export const areas = [{ en: common, de: commonDe }, editor, shell, page, preview];
const en = { ...common, ...matter.en, ...shell.en, ...page.en, ...preview.en };
const de: typeof en = { ...commonDe, ...matter.de, ...shell.de, ...page.de, ...preview.de };

/** The areas, which have no word in common. */
export const areas = [{ en: common, de: commonDe }, matter, shell, page, preview];

export type Word = keyof typeof en;

export const tables = { en, de };

export type Language = keyof typeof tables;

/** The language that a person prefers among those that there is a table for, else English. */
export function chosen(preferred: readonly string[]): Language {
  return preferred.map((l) => l.slice(0, 2).toLowerCase()).find((l): l is Language => Object.hasOwn(tables, l)) ?? "en";
}

export const language: Language = chosen(typeof document === "undefined" ? [] : navigator.languages);

export function t(word: Word, ...given: (string | number)[]): string {
  return tables[language][word].replace(/\{(\d)\}/g, (_, i: string) => String(given[Number(i)] ?? ""));
}
