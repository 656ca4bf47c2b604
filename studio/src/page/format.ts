import type { Page } from "../api/types.ts";

/** In which language a page is written; its front matter says so. */
export const formatOf = (page: Page | null): "markdown" | "mdx" => (page?.frontmatter?.["format"] === "mdx" ? "mdx" : "markdown");
