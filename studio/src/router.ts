import { signal } from "@preact/signals";
import { place } from "./session.ts";

/** A screen. Each has an address of its own below /studio. */
export type Screen =
  | { name: "home" }
  | { name: "page"; id: string }
  | { name: "history"; id: string }
  | { name: "new"; parent: string | null; proposal: string | null };

const base = `${place.root}/studio`;

export function addressOf(s: Screen): string {
  switch (s.name) {
    case "home":
      return base;
    case "page":
      return `${base}/pages/${encodeURIComponent(s.id)}`;
    case "history":
      return `${base}/pages/${encodeURIComponent(s.id)}/history`;
    case "new": {
      const query = new URLSearchParams();
      if (s.parent) query.set("parent", s.parent);
      if (s.proposal) query.set("draft", s.proposal);
      const text = query.toString();
      return `${base}/new${text ? "?" + text : ""}`;
    }
  }
}

export function screenAt(path: string, query: string): Screen {
  const parts = path.slice(base.length).split("/").filter(Boolean).map(decodeURIComponent);
  const [kind, id, more] = parts;
  if (kind === "pages" && id) return { name: more === "history" ? "history" : "page", id };
  const given = new URLSearchParams(query);
  if (kind === "new") return { name: "new", parent: given.get("parent"), proposal: given.get("draft") };
  return { name: "home" };
}

export const screen = signal<Screen>(screenAt(location.pathname, location.search));

/** Shows a screen, as a new entry of the history unless it takes the place of this one. */
export function go(to: Screen, instead = false): void {
  const address = addressOf(to);
  if (instead) history.replaceState(null, "", address);
  else if (address !== location.pathname + location.search) history.pushState(null, "", address);
  screen.value = to;
}

/** Follows the browser's own buttons, and plain clicks on links to Studio. */
export function listen(): void {
  addEventListener("popstate", () => (screen.value = screenAt(location.pathname, location.search)));
  document.addEventListener("click", (e) => {
    const link = (e.target as Element | null)?.closest?.("a");
    if (!link || e.defaultPrevented || e.button !== 0 || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey) return;
    if (link.origin !== location.origin || link.target || !(link.pathname === base || link.pathname.startsWith(base + "/"))) return;
    e.preventDefault();
    go(screenAt(link.pathname, link.search));
  });
}
