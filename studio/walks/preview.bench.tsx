// An editor and its preview, with nothing else of Studio, for the walk of the preview.
import { EditorView } from "@codemirror/view";
import { signal } from "@preact/signals";
import { render } from "preact";
import { openEditor } from "../src/editor/editor.ts";
import { Marks } from "../src/preview/marks.ts";
import { Preview } from "../src/preview/preview.tsx";
import { Problems } from "../src/preview/problems.tsx";
import { Rendering } from "../src/preview/rendering.ts";
import type { Draft } from "../src/preview/rendering.ts";
import { client, place, token } from "../src/session.ts";

const at = new URLSearchParams(location.search);
const draft: Omit<Draft, "content"> = {};
const rendering: Rendering = new Rendering(client, () => ({ content: view.state.doc.toString(), ...draft }));
const marks = new Marks(rendering);
const { view } = openEditor(document.createElement("div"), { text: "", label: "Content", format: "markdown", onChange: () => {}, extensions: [marks.extension] });
const title = signal("Title");

function Bench() {
  return (
    <>
      <div class="bench-editor" ref={(e) => void (e && !e.contains(view.dom) && e.append(view.dom))} />
      <Preview rendering={rendering} view={view} title={title.value} live={at.get("live") ?? undefined} />
      <Problems problems={marks.problems.value} go={(p) => marks.go(view, p)} />
    </>
  );
}

await token(place);
const app = document.getElementById("app")!;
render(<Bench />, app);
const half = { display: "grid", gridTemplate: "minmax(0, 1fr) auto / 1fr 1fr", height: "100vh" };
Object.assign(app.style, half);
Object.assign(view.dom.style, { height: "100%" });
Object.assign(view.dom.parentElement!.style, { minHeight: "0" });

/** Has another text in the editor, and waits until it is shown. */
async function open(text: string, format?: Draft["format"]): Promise<void> {
  if (format) draft.format = format;
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, selection: { anchor: 0 }, effects: EditorView.scrollIntoView(0) });
  await rendering.now();
}

Object.assign(window, { bench: { view, rendering, open, title } });
