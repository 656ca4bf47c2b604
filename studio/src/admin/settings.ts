import { linesOf } from "../ui/form.tsx";

export interface SiteLink {
  label: string;
  href: string;
}

export type Theme = Record<"light" | "dark", Record<string, string>>;

export const bannerKinds = ["info", "warning", "success"] as const;

export interface Site {
  title: string;
  description: string;
  home: string | null;
  language: string;
  logo: { light: string | null; dark: string | null };
  favicon: string | null;
  css: string;
  theme: Theme;
  header: SiteLink[];
  footer: SiteLink[];
  footerText: string;
  banner: { text: string; href: string; kind: (typeof bannerKinds)[number] } | null;
  robots: "index" | "noindex";
  source: boolean;
  remoteImages: "load" | "link";
  feedback: boolean;
  suggestions: boolean;
  review: { approvals: number; upToDate: boolean };
}

/** Links as people write them: a label, a bar and an address on each line. */
export const linesOfLinks = (links: readonly SiteLink[]): string => links.map((l) => `${l.label} | ${l.href}`).join("\n");

export function linksOfLines(text: string): SiteLink[] {
  return linesOf(text).map((line) => {
    const spaced = line.lastIndexOf(" | "); // as an address has no blanks, others are part of it
    const at = spaced < 0 ? line.lastIndexOf("|") : spaced + 1;
    return at < 0 ? { label: line, href: "" } : { label: line.slice(0, at).trim(), href: line.slice(at + 1).trim() };
  });
}

/** The colours that a site may set, as the theme of exports has them, and what they are without. */
export const tokens: Record<string, { light: string; dark: string }> = {
  background: { light: "#ffffff", dark: "#14171c" },
  text: { light: "#1f2328", dark: "#e3e7ec" },
  muted: { light: "#59636e", dark: "#9aa5b1" },
  accent: { light: "#0b62c4", dark: "#79b2f7" },
  link: { light: "#0b62c4", dark: "#79b2f7" },
  border: { light: "#d4dae1", dark: "#333b45" },
  codeBackground: { light: "#f5f7f9", dark: "#1c2128" },
  codeText: { light: "#1f2328", dark: "#e3e7ec" },
};
