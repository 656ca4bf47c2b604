import { effect, signal } from "@preact/signals";

export const themes = ["light", "dark", "system"] as const;
export type Theme = (typeof themes)[number];

const key = "octavo.theme";

const kept = localStorage.getItem(key) as Theme | null;

export const theme = signal<Theme>(kept && themes.includes(kept) ? kept : "system");

// This module comes before all others in app.js, so that nothing is painted in other colours.
effect(() => {
  if (theme.value === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme.value;
  localStorage.setItem(key, theme.value);
});
