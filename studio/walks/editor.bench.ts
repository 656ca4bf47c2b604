// The editor with nothing else of Studio, for the walk of the editor.
import { openEditor, type Editor, type EditorOptions } from "../src/editor/editor.ts";

let editor: Editor | undefined;

/** Opens a text in place of the one before; answers with the milliseconds until it is painted. */
async function open(text: string, more: Partial<EditorOptions> = {}): Promise<number> {
  editor?.destroy();
  const start = performance.now();
  editor = openEditor(document.querySelector("main")!, { text, label: "Content", format: "markdown", onChange: () => {}, ...more });
  editor.view.dom.style.height = "700px";
  await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)));
  return performance.now() - start;
}

/** How long each key is handled: from its event to the end of what follows the input. */
const keys: number[] = [];
let pressed = 0;
addEventListener("keydown", () => (pressed = performance.now()), true);
addEventListener("input", () => queueMicrotask(() => keys.push(performance.now() - pressed)), true);

/** Puts the pointer at a part of the text, from 0 to 1, and forgets the times of keys. */
function at(part: number): void {
  const { view } = editor!;
  const { doc } = view.state;
  view.dispatch({ selection: { anchor: doc.lineAt(Math.round(doc.length * part)).to }, scrollIntoView: true });
  view.focus();
  keys.length = 0;
}

Object.assign(globalThis, { bench: { open, at, keys, text: () => editor!.text(), setText: (text: string) => editor!.setText(text) } });
