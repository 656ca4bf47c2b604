import { startCompletion } from "@codemirror/autocomplete";
import type { EditorState, StateCommand, TransactionSpec } from "@codemirror/state";
import type { EditorView, KeyBinding } from "@codemirror/view";
import type { Word } from "../../words.ts";
import { fence, type List, setHeading, toggleList, toggleQuote, wrap } from "./blocks.ts";
import { clear } from "./ends.ts";
import { bold, code, italic, toggleLink, toggleMark } from "./marks.ts";
import { writing } from "./options.ts";
import { insertPart, parts } from "./parts.ts";
import { nextCell, previousCell, tableCommands } from "./tablecommands.ts";
import { chooseFiles } from "./uploads.ts";

/** What can be done with the text: by the toolbar, by keys, and from the palette. */
export interface Command {
  id: string;
  title: Word;
  run: (view: EditorView) => boolean;
  shortcut?: string; // as CodeMirror writes it; Mod is Ctrl, or Cmd on a Mac
}

const edit =
  (make: (state: EditorState) => TransactionSpec) =>
  (view: EditorView): boolean => {
    view.dispatch(view.state.update(make(view.state)));
    return true;
  };

const part = (id: string) => (view: EditorView): boolean => {
  const pos = clear(view.state, view.state.selection.main.head);
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
    const end = line.text.endsWith("\r") ? "\r\n" : "\n";
    const at = clear(view.state, line.to);
    view.dispatch({ changes: { from: at, insert: end + end }, selection: { anchor: at + 2 * end.length }, userEvent: "input", scrollIntoView: true });
  }
  view.focus();
  return startCompletion(view);
}

const inTable = (run: StateCommand) => (view: EditorView): boolean => run(view);

export const commands: readonly Command[] = [
  ...[1, 2, 3, 4].map((n) => ({ id: `heading${n}`, title: `heading${n}` as Word, run: edit((s) => setHeading(s, n)), shortcut: `Mod-Alt-${n}` })),
  { id: "paragraph", title: "paragraph", run: edit((s) => setHeading(s, 0)), shortcut: "Mod-Alt-0" },
  { id: "bold", title: "bold", run: edit((s) => toggleMark(s, bold)), shortcut: "Mod-b" },
  { id: "italic", title: "italic", run: edit((s) => toggleMark(s, italic)), shortcut: "Mod-i" },
  { id: "code", title: "inlineCode", run: edit((s) => toggleMark(s, code)), shortcut: "Mod-e" },
  { id: "link", title: "link", run: link, shortcut: "Mod-Shift-k" },
  { id: "bullets", title: "bullets", run: list("bullets"), shortcut: "Mod-Shift-8" },
  { id: "numbers", title: "numbers", run: list("numbers"), shortcut: "Mod-Shift-7" },
  { id: "tasks", title: "tasks", run: list("tasks"), shortcut: "Mod-Shift-9" },
  { id: "quote", title: "quote", run: edit(toggleQuote), shortcut: "Mod-Shift-." },
  { id: "codeBlock", title: "codeBlock", run: codeBlock, shortcut: "Mod-Alt-c" },
  { id: "table", title: "table", run: part("table") },
  { id: "picture", title: "picture", run: chooseFiles },
  { id: "callout", title: "callout", run: callout },
  { id: "component", title: "insertComponent", run: component, shortcut: "Mod-/" },
  { id: "tableAlign", title: "tableAlign", run: inTable(tableCommands.align) },
  { id: "tableAddRow", title: "tableAddRow", run: inTable(tableCommands.addRow) },
  { id: "tableRemoveRow", title: "tableRemoveRow", run: inTable(tableCommands.removeRow) },
  { id: "tableMoveRowUp", title: "tableMoveRowUp", run: inTable(tableCommands.moveRowUp) },
  { id: "tableMoveRowDown", title: "tableMoveRowDown", run: inTable(tableCommands.moveRowDown) },
  { id: "tableAddColumn", title: "tableAddColumn", run: inTable(tableCommands.addColumn) },
  { id: "tableRemoveColumn", title: "tableRemoveColumn", run: inTable(tableCommands.removeColumn) },
  { id: "tableMoveColumnLeft", title: "tableMoveColumnLeft", run: inTable(tableCommands.moveColumnLeft) },
  { id: "tableMoveColumnRight", title: "tableMoveColumnRight", run: inTable(tableCommands.moveColumnRight) },
];

export const commandOf = (id: string): Command => commands.find((c) => c.id === id)!;

/** Keys of the text, for the help. Ctrl-K is the palette's everywhere, so a link has Shift besides. */
export const shortcuts: readonly { keys: string; title: Word }[] = [
  ...commands.flatMap((c) => (c.shortcut ? [{ keys: c.shortcut, title: c.title }] : [])),
  { keys: "Tab", title: "nextCell" },
  { keys: "Shift-Tab", title: "previousCell" },
  { keys: "/", title: "slashMenu" },
];

export const keys: readonly KeyBinding[] = [
  ...commands.flatMap((c) => (c.shortcut ? [{ key: c.shortcut, run: c.run, preventDefault: true }] : [])),
  { key: "Tab", run: nextCell },
  { key: "Shift-Tab", run: previousCell },
];
