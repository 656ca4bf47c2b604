// What Studio says, in each language. A text with {0} takes arguments.

import { matter } from "./words/matter.ts";

const en = {
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
  ...matter.en,
};

const de: typeof en = {
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
  ...matter.de,
};

export type Word = keyof typeof en;

const tables: Record<string, typeof en> = { en, de };

/** The language of the browser that there is a table for, else English. */
export const language = (typeof navigator === "undefined" ? [] : navigator.languages)
  .map((l) => l.slice(0, 2).toLowerCase())
  .find((l) => l in tables) ?? "en";

export function t(word: Word, ...given: (string | number)[]): string {
  return (tables[language] ?? en)[word].replace(/\{(\d)\}/g, (_, i: string) => String(given[Number(i)] ?? ""));
}
