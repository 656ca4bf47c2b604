import { startCompletion } from "@codemirror/autocomplete";
import type { EditorState, StateCommand, TransactionSpec } from "@codemirror/state";
import type { EditorView, KeyBinding } from "@codemirror/view";
import { fence, type List, setHeading, toggleList, toggleQuote, wrap } from "./blocks.ts";
import { bold, code, italic, toggleLink, toggleMark } from "./marks.ts";
import { writing } from "./options.ts";
import { insertPart, parts } from "./parts.ts";
import { say, type Said } from "./say.ts";
import { nextCell, previousCell, tableAt, tableCommands } from "./tablecommands.ts";
import { chooseFiles } from "./uploads.ts";

/** What can be done with the text: by the toolbar, by keys, and from the palette. */
export interface Command {
  id: string;
  title: string;
  run: (view: EditorView) => boolean;
  shortcut?: string; // as CodeMirror writes it; Mod is Ctrl, or Cmd on a Mac
}

const edit =
  (make: (state: EditorState) => TransactionSpec) =>
  (view: EditorView): boolean => {
    if (view.state.readOnly) return false;
    view.dispatch(view.state.update(make(view.state)));
    return true;
  };

const part = (id: string) => (view: EditorView): boolean => {
  if (view.state.readOnly) return false;
  const pos = view.state.selection.main.head;
  insertPart(view, parts.find((p) => p.id === id)!, pos, pos);
  return true;
};

const list = (kind: List) => edit((state) => toggleList(state, kind));

const blank = (state: EditorState): boolean => {
  const { from, to } = state.selection.main;
  return !state.sliceDoc(state.doc.lineAt(from).from, state.doc.lineAt(to).to).trim();
};

function link(view: EditorView): boolean {
  edit(toggleLink)(view);
  return view.state.sliceDoc(view.state.selection.main.head - 2, view.state.selection.main.head) === "](" ? startCompletion(view) || true : true;
}

function codeBlock(view: EditorView): boolean {
  if (blank(view.state)) return part("code")(view);
  const marks = fence(view.state);
  return edit((state) => wrap(state, marks, marks))(view);
}

function callout(view: EditorView): boolean {
  if (blank(view.state)) return part("note")(view);
  const mdx = view.state.facet(writing).format === "mdx";
  return edit((state) => wrap(state, mdx ? "<Note>" : ":::note", mdx ? "</Note>" : ":::"))(view);
}

/** Opens the list of blocks, on a line of its own where the present one has text. */
function component(view: EditorView): boolean {
  if (!blank(view.state)) {
    const line = view.state.doc.lineAt(view.state.selection.main.head);
    view.dispatch({ changes: { from: line.to, insert: "\n\n" }, selection: { anchor: line.to + 2 }, userEvent: "input", scrollIntoView: true });
  }
  view.focus();
  return startCompletion(view);
}

const inTable = (run: StateCommand) => (view: EditorView): boolean => {
  if (!tableAt(view.state)) view.state.facet(writing).onNotice(say("noTable"));
  return run(view);
};

export const commands: readonly Command[] = [
  ...[1, 2, 3, 4].map((n) => ({ id: `heading${n}`, title: say(`heading${n}` as Said), run: edit((s) => setHeading(s, n)), shortcut: `Mod-Alt-${n}` })),
  { id: "paragraph", title: say("paragraph"), run: edit((s) => setHeading(s, 0)), shortcut: "Mod-Alt-0" },
  { id: "bold", title: say("bold"), run: edit((s) => toggleMark(s, bold)), shortcut: "Mod-b" },
  { id: "italic", title: say("italic"), run: edit((s) => toggleMark(s, italic)), shortcut: "Mod-i" },
  { id: "code", title: say("inlineCode"), run: edit((s) => toggleMark(s, code)), shortcut: "Mod-e" },
  { id: "link", title: say("link"), run: link, shortcut: "Mod-Shift-k" },
  { id: "bullets", title: say("bullets"), run: list("bullets"), shortcut: "Mod-Shift-8" },
  { id: "numbers", title: say("numbers"), run: list("numbers"), shortcut: "Mod-Shift-7" },
  { id: "tasks", title: say("tasks"), run: list("tasks"), shortcut: "Mod-Shift-9" },
  { id: "quote", title: say("quote"), run: edit(toggleQuote), shortcut: "Mod-Shift-." },
  { id: "codeBlock", title: say("codeBlock"), run: codeBlock, shortcut: "Mod-Alt-c" },
  { id: "table", title: say("newTable"), run: part("table") },
  { id: "picture", title: say("picture"), run: chooseFiles },
  { id: "callout", title: say("callout"), run: callout },
  { id: "component", title: say("insertComponent"), run: component, shortcut: "Mod-/" },
  { id: "tableAlign", title: say("tableAlign"), run: inTable(tableCommands.align) },
  { id: "tableAddRow", title: say("tableAddRow"), run: inTable(tableCommands.addRow) },
  { id: "tableRemoveRow", title: say("tableRemoveRow"), run: inTable(tableCommands.removeRow) },
  { id: "tableMoveRowUp", title: say("tableMoveRowUp"), run: inTable(tableCommands.moveRowUp) },
  { id: "tableMoveRowDown", title: say("tableMoveRowDown"), run: inTable(tableCommands.moveRowDown) },
  { id: "tableAddColumn", title: say("tableAddColumn"), run: inTable(tableCommands.addColumn) },
  { id: "tableRemoveColumn", title: say("tableRemoveColumn"), run: inTable(tableCommands.removeColumn) },
  { id: "tableMoveColumnLeft", title: say("tableMoveColumnLeft"), run: inTable(tableCommands.moveColumnLeft) },
  { id: "tableMoveColumnRight", title: say("tableMoveColumnRight"), run: inTable(tableCommands.moveColumnRight) },
];

export const commandOf = (id: string): Command => commands.find((c) => c.id === id)!;

/** Keys of the text, for the help. Ctrl-K is the palette's everywhere, so a link has Shift besides. */
export const shortcuts: readonly { keys: string; title: string }[] = [
  ...commands.flatMap((c) => (c.shortcut ? [{ keys: c.shortcut, title: c.title }] : [])),
  { keys: "Tab", title: say("nextCell") },
  { keys: "Shift-Tab", title: say("previousCell") },
  { keys: "/", title: say("slashMenu") },
];

export const keys: readonly KeyBinding[] = [
  ...commands.flatMap((c) => (c.shortcut ? [{ key: c.shortcut, run: c.run, preventDefault: true }] : [])),
  { key: "Tab", run: nextCell },
  { key: "Shift-Tab", run: previousCell },
];
