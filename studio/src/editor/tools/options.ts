import { syntaxTree } from "@codemirror/language";
import { type EditorState, Facet } from "@codemirror/state";
import type { Client } from "../../api/client.ts";
import type { TreePage } from "../../api/types.ts";
import type { Upload } from "../../api/upload.ts";

export interface WritingOptions {
  client: Client;
  pageId: string | null; // null for a page that is not made yet
  format: "markdown" | "mdx";
  upload: Upload;
  tree: () => readonly TreePage[];
  onNotice: (text: string) => void; // says something to people
}

export const writing = Facet.define<WritingOptions, WritingOptions>({ combine: (given) => given[0]! });

/** Whether a place is within code, where nothing is offered and nothing is a table. */
export function inCode(state: EditorState, pos: number): boolean {
  for (let node = syntaxTree(state).resolveInner(pos, -1); ; node = node.parent) {
    if (/Code(Block|Text)?$|FencedCode|CodeInfo/.test(node.name)) return true;
    if (!node.parent) return false;
  }
}

