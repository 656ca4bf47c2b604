import { type EditorState, type Extension, Prec } from "@codemirror/state";
import { Decoration, EditorView, type PluginValue, ViewPlugin, WidgetType } from "@codemirror/view";
import { newKey } from "../../ui/key.ts";
import { addressOfFile, escapeLabel } from "./links.ts";
import { inCode, writing } from "./options.ts";
import { add, change, endOfPicture, type Pending, pending, place, remove } from "./pending.ts";
import { say } from "./say.ts";
import { fromSpreadsheet } from "./tables.ts";
import { whyNot } from "./why.ts";

/** Sends files one after the other, so that they come in their order. */
class Sender implements PluginValue {
  private readonly view: EditorView;
  private readonly files = new Map<string, { file: File; owner: AbortController; key: string }>();
  private running = false;

  constructor(view: EditorView) {
    this.view = view;
  }

  start(files: readonly File[], pos: number): void {
    const effects = files.map((file) => {
      const key = newKey();
      this.files.set(key, { file, owner: new AbortController(), key });
      const picture = file.type.startsWith("image/");
      return add.of({ id: key, pos, name: file.name, picture, state: "waiting", share: 0, message: "", address: "" });
    });
    this.view.dispatch({ effects });
    void this.run();
  }

  retry(id: string): void {
    this.view.dispatch({ effects: change.of({ id, state: "waiting", share: 0, message: "" }) });
    void this.run();
  }

  cancel(id: string): void {
    this.files.get(id)?.owner.abort();
    this.files.delete(id);
    this.view.dispatch({ effects: remove.of(id) });
  }

  destroy(): void {
    for (const f of this.files.values()) f.owner.abort();
    this.files.clear();
  }

  private async run(): Promise<void> {
    if (this.running) return;
    this.running = true;
    const next = () => this.view.state.field(pending).find((p) => p.state === "waiting" && this.files.has(p.id));
    for (let p = next(); p; p = next()) await this.send(p);
    this.running = false;
  }

  private async send(p: Pending): Promise<void> {
    const { upload, onNotice } = this.view.state.facet(writing);
    const { file, owner, key } = this.files.get(p.id)!;
    this.view.dispatch({ effects: change.of({ id: p.id, state: "sending" }) });
    let shown = 0;
    const progress = (share: number) => {
      if (share - shown < 0.02 || owner.signal.aborted) return; // each is a change of what is shown
      shown = share;
      this.view.dispatch({ effects: change.of({ id: p.id, share }) });
    };
    try {
      const asset = await upload(file, { signal: owner.signal, progress, key });
      const now = this.view.state.field(pending).find((q) => q.id === p.id);
      if (!now || owner.signal.aborted) return;
      this.files.delete(p.id);
      this.view.dispatch(place(this.view.state, now, addressOfFile(asset.url)));
      onNotice(say(p.picture ? "pictureAdded" : "fileAdded", p.name));
    } catch (e) {
      if (owner.signal.aborted) return;
      const message = say(whyNot(e));
      this.view.dispatch({ effects: change.of({ id: p.id, state: "failed", message }) });
      onNotice(say("uploadFailed", p.name, message));
    }
  }
}

const sender = ViewPlugin.fromClass(Sender);

/** What is shown where a file comes, and where a picture has no description yet. */
class Shown extends WidgetType {
  readonly p: Pending;

  constructor(p: Pending) {
    super();
    this.p = p;
  }

  override eq(o: Shown): boolean {
    const [a, b] = [this.p, o.p];
    return a.id === b.id && a.state === b.state && a.share === b.share && a.message === b.message;
  }

  override toDOM(view: EditorView): HTMLElement {
    const dom = document.createElement("span");
    this.fill(dom, view);
    return dom;
  }

  override updateDOM(dom: HTMLElement, view: EditorView): boolean {
    if (dom.dataset["id"] !== this.p.id) return false;
    const bar = dom.querySelector("progress");
    if (bar && dom.dataset["state"] === this.p.state) bar.value = this.p.share;
    else this.fill(dom, view);
    return true;
  }

  override ignoreEvent(): boolean {
    return true;
  }

  private fill(dom: HTMLElement, view: EditorView): void {
    const { id, state, name, share, message } = this.p;
    dom.className = `upload upload-${state}`;
    Object.assign(dom.dataset, { id, state });
    const plugin = () => view.plugin(sender)!;
    const button = (text: string, run: () => void, label = text) => {
      const b = document.createElement("button");
      Object.assign(b, { type: "button", className: "button plain", textContent: text, ariaLabel: label });
      b.onclick = () => {
        run();
        (dom.querySelector("input") ?? view).focus(); // the button is gone
      };
      return b;
    };
    const said = document.createElement("span");
    said.textContent = state === "failed" ? `${name}: ${message}` : name;
    if (state === "asking") return dom.replaceChildren(...this.field(view));
    if (state === "skipped") return dom.replaceChildren(button(say("addDescription"), () => view.dispatch({ effects: change.of({ id, state: "asking" }) })));
    if (state === "failed") return dom.replaceChildren(said, button(say("retry"), () => plugin().retry(id)), button(say("remove"), () => plugin().cancel(id)));
    const bar = document.createElement("progress");
    Object.assign(bar, { max: 1, value: share, ariaLabel: say("uploading", name) });
    dom.replaceChildren(said, bar, button("×", () => plugin().cancel(id), say("cancelUpload", name)));
  }

  private field(view: EditorView): HTMLElement[] {
    const { id } = this.p;
    const input = document.createElement("input");
    Object.assign(input, { className: "field", type: "text", ariaLabel: say("describePicture"), placeholder: say("describePicture"), spellcheck: true });
    const done = () => {
      const now = view.state.field(pending).find((p) => p.id === id);
      const insert = escapeLabel(input.value.trim());
      if (now && insert) view.dispatch({ changes: { from: now.pos, insert }, effects: remove.of(id), userEvent: "input" });
      else if (now) view.dispatch({ effects: change.of({ id, state: "skipped" }) });
      view.focus();
    };
    const skip = () => {
      input.value = "";
      done();
    };
    input.onkeydown = (e) => {
      if (e.isComposing || (e.key !== "Enter" && e.key !== "Escape")) return;
      e.preventDefault();
      e.stopPropagation();
      (e.key === "Enter" ? done : skip)();
    };
    const buttons = [say("describe"), say("skip")].map((text, i) => {
      const b = document.createElement("button");
      Object.assign(b, { type: "button", className: "button plain", textContent: text });
      b.onclick = i ? skip : done;
      return b;
    });
    return [input, ...buttons];
  }
}

const shown = EditorView.decorations.compute([pending], (state) =>
  Decoration.set(
    state.field(pending).map((p) => Decoration.widget({ widget: new Shown(p), side: 1 }).range(p.state === "asking" || p.state === "skipped" ? endOfPicture(p) : p.pos)),
    true,
  ),
);

export function sendFiles(view: EditorView, files: readonly File[], pos = view.state.selection.main.head): void {
  view.plugin(sender)?.start(files, pos);
}

/** Lets people choose files. It has to be called within what they do. */
export function chooseFiles(view: EditorView): boolean {
  const input = document.createElement("input");
  Object.assign(input, { type: "file", multiple: true });
  input.onchange = () => sendFiles(view, [...(input.files ?? [])]);
  input.click();
  return true;
}

/** Cells that are pasted on an empty line, as the lines of a table. */
function pastedTable(state: EditorState, text: string): string | undefined {
  const { main } = state.selection;
  if (!main.empty || !text.includes("\t") || state.doc.lineAt(main.head).text.trim() || inCode(state, main.head)) return undefined;
  return fromSpreadsheet(text, state.facet(writing).format === "mdx" ? "<br />" : "<br>")?.join("\n");
}

const received = EditorView.domEventHandlers({
  paste(e, view) {
    if (view.state.readOnly) return false;
    const text = e.clipboardData?.getData("text/plain") ?? "";
    const files = [...(e.clipboardData?.files ?? [])];
    // Programs that copy cells or text often add a picture of them: the text is what is meant.
    if (files.length && !text) {
      sendFiles(view, files);
      return true;
    }
    const table = pastedTable(view.state, text);
    if (!table) return false;
    view.dispatch(view.state.replaceSelection(table), { userEvent: "input.paste", scrollIntoView: true });
    return true;
  },
  dragover: (e) => {
    if (!e.dataTransfer?.types.includes("Files")) return false;
    e.preventDefault(); // else the browser opens what is dropped
    return true;
  },
  drop(e, view) {
    const files = [...(e.dataTransfer?.files ?? [])];
    if (!files.length || view.state.readOnly) return false;
    e.preventDefault();
    sendFiles(view, files, view.posAtCoords({ x: e.clientX, y: e.clientY }, false));
    return true;
  },
});

export const uploads: Extension = [pending, sender, shown, Prec.high(received)];
