import { defineLanguageFacet, Language } from "@codemirror/language";
import { GFM, parser } from "@lezer/markdown";
import type { Format } from "./format.ts";
import { mdx } from "./syntax/mdx.ts";
import { markdownOnly, octavo } from "./syntax/octavo.ts";

/** The languages of pages. Code in fences has no colours. */
export const languages: Record<Format, Language> = {
  markdown: new Language(
    defineLanguageFacet({ commentTokens: { block: { open: "<!--", close: "-->" } } }),
    parser.configure([...GFM, octavo, markdownOnly]), [], "markdown",
  ),
  mdx: new Language(
    defineLanguageFacet({ commentTokens: { block: { open: "{/*", close: "*/}" } } }),
    parser.configure([...GFM, octavo, mdx]), [], "mdx",
  ),
};
