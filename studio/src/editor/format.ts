import type { Dialect } from "../api/types.ts";
import { startsModule } from "./syntax/scan.ts";

export type Format = "markdown" | "mdx";

/**
 * The language in which the server reads a page: by its dialect, MDX by the name of its file, by "format"
 * in its front matter, or when it has statements or components outside of code.
 */
export function formatOf(content: string, source = "", declared: unknown = "", dialect: Dialect | null = null): Format {
  if (dialect === "mdx" || dialect === "markdown") return dialect;
  if (/\.mdx$/i.test(source) || (typeof declared === "string" && declared.toLowerCase() === "mdx")) return "mdx";
  if (!/import|export|</.test(content)) return "markdown";
  let fence = "";
  let blank = true;
  for (const line of content.split(/\r\n?|\n/)) {
    const text = line.trim();
    const mark = /^(?:`{3,}(?=[^`]*$)|~{3,})/.exec(text)?.[0] ?? "";
    if (fence) {
      if (mark.startsWith(fence) && mark === text) fence = "";
    } else if (mark) fence = mark;
    else if ((blank && startsModule(line)) || startsComponent(line)) return "mdx";
    blank = text === "";
  }
  return "markdown";
}

/** HTML in capitals. */
const elements =
  /^(?:[ABIPQSU]|BR|HR|H[1-6]|[UO]L|LI|D[LTD]|TT|T[DHR]|EM|DIV|IMG|PRE|SUB|SUP|KBD|SPAN|CODE|FONT|TABLE|TBODY|THEAD|CENTER|DETAILS|SUMMARY|STRONG|BLOCKQUOTE|VIDEO|IFRAME|SCRIPT|STYLE)$/;

function startsComponent(line: string): boolean {
  const name = /^ {0,3}<([A-Z][\w.]*)(?=[ \t/>]|$)/.exec(line)?.[1];
  return name !== undefined && !elements.test(name);
}
