import type { ReadonlySignal } from "@preact/signals";
import { effect } from "@preact/signals";
import type { EditorView } from "@codemirror/view";
import type { Frame } from "./frame.ts";
import { lineOf, placeAt, scrollTo, topOf } from "./scale.ts";

const tries = 5; // until heights that were estimated are known

/** Scrolls an editor and its preview together. The side that somebody uses leads. */
export class Together {
  private leader: "editor" | "preview" = "editor";
  private readonly end = new AbortController();
  private readonly stop: (() => void)[] = [];
  private readonly view: EditorView;
  private readonly frame: Frame;
  private readonly on: ReadonlySignal<boolean>;
  private readonly scroller: HTMLElement;

  /** scroller is what the editor scrolls in. */
  constructor(view: EditorView, frame: Frame, on: ReadonlySignal<boolean>, scroller: HTMLElement = view.scrollDOM) {
    this.view = view;
    this.frame = frame;
    this.on = on;
    this.scroller = scroller;
    const passive = { signal: this.end.signal, passive: true, capture: true };
    // Not the events of scrolling: pages scroll by themselves as well.
    const used = ["wheel", "touchstart", "pointerdown", "keydown"];
    for (const kind of used) document.addEventListener(kind, () => (this.leader = "editor"), passive);
    scroller.addEventListener("scroll", () => this.leader === "editor" && this.sync(), passive);
    const sizes = new ResizeObserver(() => this.sync()); // pictures that come late, too
    sizes.observe(view.contentDOM);
    this.stop.push(() => sizes.disconnect());
    this.stop.push(effect(() => {
      const page = frame.page.value;
      if (!page) return;
      for (const kind of used) page.addEventListener(kind, () => (this.leader = "preview"), passive);
      page.addEventListener("scroll", () => this.leader === "preview" && this.sync(), passive);
      const article = page.querySelector("article")!;
      sizes.observe(article);
      return () => sizes.unobserve(article);
    }));
    this.stop.push(effect(() => {
      if (on.value) this.sync();
    }));
    frame.changed = () => this.sync();
  }

  close(): void {
    this.end.abort();
    for (const stop of this.stop) stop();
    this.frame.changed = () => {};
  }

  /** Moves the side that does not lead to where the other is. */
  sync(): void {
    const preview = this.frame.scroller;
    if (!this.on.peek() || !preview || this.frame.scale.count === 0) return;
    const { scrollTop, scrollHeight, clientHeight } = preview;
    if (this.leader === "editor") {
      move(preview, scrollTo(topOf(this.frame.scale, this.line()), scrollHeight, clientHeight));
    } else {
      this.go(lineOf(this.frame.scale, placeAt(scrollTop, scrollHeight, clientHeight)));
    }
  }

  /** The pixel of the scrolled content at which the text begins. */
  private get origin(): number {
    return this.view.documentTop - this.scroller.getBoundingClientRect().top + this.scroller.scrollTop;
  }

  /** The line at which the editor is, with its part. */
  private line(): number {
    const { scrollTop, scrollHeight, clientHeight } = this.scroller;
    const at = placeAt(scrollTop, scrollHeight, clientHeight) - this.origin;
    const { doc } = this.view.state;
    if (at >= this.view.contentHeight) return doc.lines + 1;
    const block = this.view.lineBlockAtHeight(at);
    const from = doc.lineAt(block.from).number;
    const part = block.height > 0 ? Math.min(1, Math.max(0, (at - block.top) / block.height)) : 0;
    return from + part * (doc.lineAt(block.to).number - from + 1);
  }

  private go(line: number): void {
    let left = tries;
    const on = (by: number) => {
      move(this.scroller, this.scroller.scrollTop + by);
      // What comes into sight is measured, which may move it.
      if (Math.abs(by) >= 1 && left-- > 0) this.view.requestMeasure({ key: this, read: () => this.distance(line), write: on });
    };
    on(this.distance(line));
  }

  /** How far the editor is from a line. */
  private distance(line: number): number {
    const { doc } = this.view.state;
    const number = Math.min(doc.lines, Math.max(1, Math.floor(line)));
    const block = this.view.lineBlockAt(doc.line(number).from);
    const from = doc.lineAt(block.from).number;
    const part = Math.min(1, (line - from) / (doc.lineAt(block.to).number - from + 1));
    const { scrollTop, scrollHeight, clientHeight } = this.scroller;
    const place = line <= 1 ? 0 : line > doc.lines + 0.999 ? scrollHeight : this.origin + block.top + part * block.height;
    return scrollTo(place, scrollHeight, clientHeight) - scrollTop;
  }
}

/** Scrolls at once: the style of the site has it take time. */
function move(element: Element, top: number): void {
  element.scrollTo({ top, behavior: "instant" });
}
