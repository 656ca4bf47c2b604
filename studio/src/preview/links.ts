import type { Place } from "../session.ts";

/** Where a link of the preview leads: to a heading, to another tab, or nowhere (undefined). */
export type Target = { anchor: string } | { url: string } | undefined;

/** The server has links to pages lead to their previews; Studio opens them itself. */
export function targetOf(href: string, place: Pick<Place, "root" | "api">): Target {
  if (href.startsWith("#")) return { anchor: decoded(href.slice(1)) };
  const page = href.startsWith(place.api + "/pages/") && /^([\w-]+)\/preview(?=$|#)/.exec(href.slice(place.api.length + 7));
  if (page) return { url: `${place.root}/studio/pages/${page[1]}` };
  return /^https?:\/\//i.test(href) ? { url: href } : undefined;
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment; // it is no escape
  }
}
