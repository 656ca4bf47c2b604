import { batch, signal } from "@preact/signals";
import { place } from "./session.ts";
import { t } from "./words.ts";

/** A screen. Each has an address of its own below /studio. */
export type Screen =
  | { name: "home" }
  | { name: "page"; id: string }
  | { name: "history"; id: string }
  | { name: "proposal"; id: string }
  | { name: "imports"; id: string } // "" for a new one, and those before
  | { name: "proposals" }
  | { name: "inbox" }
  | { name: "admin"; id: string } // "" for the first that somebody may see
  | { name: "new"; parent: string | null; proposal: string | null; example?: boolean }
  | { name: "back" } // a tab in which somebody has just signed in
  | { name: "unknown" };

const base = `${place.root}/studio`;

export function addressOf(s: Screen): string {
  switch (s.name) {
    case "home":
      return base;
    case "page":
      return `${base}/pages/${encodeURIComponent(s.id)}`;
    case "history":
      return `${base}/pages/${encodeURIComponent(s.id)}/history`;
    case "proposal":
      return `${base}/proposals/${encodeURIComponent(s.id)}`;
    case "imports":
      return `${base}/imports${s.id && "/" + encodeURIComponent(s.id)}`;
    case "proposals":
    case "inbox":
      return `${base}/${s.name}`;
    case "admin":
      return `${base}/manage${s.id && "/" + encodeURIComponent(s.id)}`;
    case "new": {
      const query = new URLSearchParams();
      if (s.parent) query.set("parent", s.parent);
      if (s.proposal) query.set("draft", s.proposal);
      if (s.example) query.set("example", "1");
      const text = query.toString();
      return `${base}/new${text ? "?" + text : ""}`;
    }
    case "back":
      return `${base}/signed-in`;
    case "unknown":
      return location.pathname;
  }
}

export function screenAt(path: string, query: string): Screen {
  let parts: string[];
  try {
    parts = path.slice(base.length).split("/").filter(Boolean).map(decodeURIComponent);
  } catch {
    return { name: "unknown" };
  }
  const [kind, id, more] = parts;
  const given = new URLSearchParams(query);
  if (kind === undefined) return { name: "home" };
  if (kind === "pages" && id && parts.length === 2) return { name: "page", id };
  if (kind === "pages" && id && more === "history" && parts.length === 3) return { name: "history", id };
  if ((kind === "proposals" || kind === "inbox") && parts.length === 1) return { name: kind };
  if (kind === "proposals" && id && parts.length === 2) return { name: "proposal", id };
  if (kind === "imports" && parts.length <= 2) return { name: "imports", id: id ?? "" };
  if (kind === "manage" && parts.length <= 2) return { name: "admin", id: id ?? "" };
  if (kind === "new" && parts.length === 1) return { name: "new", parent: given.get("parent"), proposal: given.get("draft"), example: given.has("example") };
  if (kind === "signed-in" && parts.length === 1) return { name: "back" };
  return { name: "unknown" };
}

export const screen = signal<Screen>(screenAt(location.pathname, location.search));

/** How often somebody went to a screen, of which the heading then takes the focus. */
export const followed = signal(0);

/** Gives the screen that is shown another address; it stays as it is. */
export function readdress(to: Screen): void {
  history.replaceState(null, "", addressOf(to));
  screen.value = to;
}

/** Tell whether something on the screen would be lost. */
export const guards = new Set<() => boolean>();

const mayLeave = (): boolean => ![...guards].some((g) => g()) || confirm(t("leaveUnsent"));

/** Shows a screen, as a new entry of the history unless it takes the place of this one. */
export function go(to: Screen, instead = false): void {
  const address = addressOf(to);
  if (address === location.pathname + location.search || !mayLeave()) return;
  if (instead) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  batch(() => {
    followed.value++;
    screen.value = to;
  });
}

/** Follows the browser's own buttons, and plain clicks on links to Studio. */
export function listen(): void {
  addEventListener("popstate", () => {
    if (!mayLeave()) return history.pushState(null, "", addressOf(screen.value));
    batch(() => {
      followed.value++;
      screen.value = screenAt(location.pathname, location.search);
    });
  });
  document.addEventListener("click", (e) => {
    const link = (e.target as Element | null)?.closest?.("a");
    if (!link || e.defaultPrevented || e.button !== 0 || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey) return;
    if (link.origin !== location.origin || link.target || !(link.pathname === base || link.pathname.startsWith(base + "/"))) return;
    if (link.pathname === location.pathname && link.search === location.search && link.hash) return;
    e.preventDefault();
    go(screenAt(link.pathname, link.search));
  });
}
