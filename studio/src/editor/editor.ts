import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

export interface EditorOptions {
  text: string;
  label: string;
}

export function openEditor(parent: HTMLElement, o: EditorOptions): EditorView {
  const nonce = document.querySelector<HTMLMetaElement>('meta[name="octavo-nonce"]')?.nonce ?? "";
  return new EditorView({
    parent,
    state: EditorState.create({
      doc: o.text,
      extensions: [
        EditorState.lineSeparator.of("\n"),
        EditorView.cspNonce.of(nonce),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": o.label, spellcheck: "true" }),
      ],
    }),
  });
}
