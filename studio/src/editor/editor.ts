import { closeBracketsKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { codeFolding, foldGutter, foldKeymap } from "@codemirror/language";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorSelection, EditorState, type Extension } from "@codemirror/state";
import { drawSelection, dropCursor, EditorView, highlightSpecialChars, keymap, placeholder } from "@codemirror/view";
import { language as spoken, t } from "../words.ts";
import { ends, exactText } from "./ends.ts";
import type { Format } from "./format.ts";
import { closing, keys } from "./keys.ts";
import { languages } from "./language.ts";
import { direction, look } from "./look.ts";
import { foldSections } from "./outline.ts";
import { phrases } from "./phrases.ts";
import { replaceText, stateOf } from "./text.ts";

export interface EditorOptions {
  text: string;
  /** The accessible name. */
  label: string;
  format: Format;
  /** After the text has changed, in the handler of the input: it has to be short. */
  onChange: () => void;
  /** What others add. It comes before the keys and commands of the editor itself. */
  extensions?: Extension[];
  readOnly?: boolean;
  /** The language in which the page is written, for the spell checker of the browser. */
  lang?: string;
}

export interface Editor {
  view: EditorView;
  /** The text with the bytes that it came with, but for what was changed. */
  text(): string;
  /** Makes it another text by one change that undo takes back; the pointer stays. */
  setText(text: string): void;
  focus(): void;
  destroy(): void;
  /** Reads the text in another language from now on. */
  setFormat(format: Format): void;
  /** Puts the pointer at the start of a line, from 1 on, and shows it. */
  goTo(line: number): void;
}

export function openEditor(parent: HTMLElement, o: EditorOptions): Editor {
  const inFormat = new Compartment();
  const format = inFormat.of(languages[o.format].extension);
  const view = new EditorView({ parent, state: stateOf(o.text, [o.extensions ?? [], format, base(o)]) });
  return {
    view,
    text: () => exactText(view.state),
    setText(text) {
      const spec = replaceText(view.state, text);
      if (spec) view.dispatch(spec);
    },
    setFormat: (format) => view.dispatch({ effects: inFormat.reconfigure(languages[format].extension) }),
    focus: () => view.focus(),
    destroy: () => view.destroy(),
    goTo(line) {
      const { from } = view.state.doc.line(Math.max(1, Math.min(line, view.state.doc.lines)));
      view.dispatch({ selection: EditorSelection.cursor(from), effects: EditorView.scrollIntoView(from, { y: "start", yMargin: 24 }) });
      view.focus();
    },
  };
}

function base(o: EditorOptions): Extension {
  const nonce = document.querySelector<HTMLMetaElement>('meta[name="octavo-nonce"]')?.nonce ?? "";
  const attributes: Record<string, string> = { "aria-label": o.label, "aria-description": t("leaveText"), tabindex: "0", spellcheck: "true", autocapitalize: "sentences" };
  if (o.lang) attributes["lang"] = o.lang;
  const drawn = matchMedia("(pointer: fine)").matches; // touch has handles at the selection of the browser
  return [
    EditorView.cspNonce.of(nonce),
    EditorState.phrases.of(phrases[spoken] ?? {}),
    EditorState.tabSize.of(4),
    EditorState.readOnly.of(o.readOnly ?? false),
    EditorView.contentAttributes.of(attributes),
    EditorView.lineWrapping,
    // A browser tells of what it has inserted after the next script. If that measures or
    // dispatches, the letter is lost: so there is always one first that does neither.
    EditorView.domEventHandlers({ input: () => false }),
    EditorView.perLineTextDirection.of(true),
    drawn ? [drawSelection(), dropCursor(), EditorState.allowMultipleSelections.of(true)] : [],
    highlightSpecialChars(),
    placeholder(t("writeHere")),
    history({ minDepth: 1000 }),
    look,
    direction,
    closing,
    foldSections,
    codeFolding(),
    foldGutter(),
    search({ top: true }),
    highlightSelectionMatches({ minSelectionLength: 3 }),
    keymap.of([...keys, ...closeBracketsKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap, ...defaultKeymap]),
    EditorView.updateListener.of((u) => {
      if (u.docChanged || u.startState.field(ends) !== u.state.field(ends)) o.onChange();
    }),
  ];
}
