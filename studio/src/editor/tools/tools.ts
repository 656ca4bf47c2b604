import { acceptCompletion, autocompletion, completionStatus } from "@codemirror/autocomplete";
import { type Extension, Prec } from "@codemirror/state";
import { EditorView, keymap, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import { keys } from "./commands.ts";
import { linkMenu } from "./linkmenu.ts";
import { linkPlace } from "./links.ts";
import { type WritingOptions, writing } from "./options.ts";
import { attributeNames, slashMenu } from "./parts.ts";
import { uploads } from "./uploads.ts";

export { commands, shortcuts } from "./commands.ts";
export { uploading } from "./pending.ts";
export { Toolbar } from "./toolbar.tsx";
export type { Command } from "./commands.ts";
export type { WritingOptions } from "./options.ts";

/** A parenthesis that is typed at the end of a link steps over the one that is there. */
const stepOver = EditorView.inputHandler.of((view, from, to, text) => {
  const { doc } = view.state;
  if (text !== ")" || from !== to || doc.sliceString(from, from + 1) !== ")") return false;
  if (linkPlace(doc.sliceString(doc.lineAt(from).from, from)) === undefined) return false;
  view.dispatch({ selection: { anchor: from + 1 }, userEvent: "select" });
  return true;
});

/** A list that scrolls can have the focus, which assistive programs look for. */
const focusable = ViewPlugin.define((view) => ({
  update(u: ViewUpdate) {
    if (completionStatus(u.state) !== "active") return;
    const read = () => view.dom.querySelector<HTMLElement>(".cm-tooltip-autocomplete > ul");
    view.requestMeasure({ key: focusable, read, write: (list) => list?.setAttribute("tabindex", "0") });
  },
}));

/** What helps writing: menus, files, tables and keys. */
export function writingTools(options: WritingOptions): Extension {
  return [
    writing.of(options),
    autocompletion({ override: [slashMenu, linkMenu, attributeNames], icons: false, maxRenderedOptions: 60 }),
    Prec.high(keymap.of([{ key: "Tab", run: acceptCompletion }, ...keys])),
    stepOver,
    focusable,
    uploads,
  ];
}
