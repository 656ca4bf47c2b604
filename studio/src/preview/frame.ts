import { signal } from "@preact/signals";
import { place } from "../session.ts";
import { trusted } from "../trusted.ts";
import type { Block } from "./blocks.ts";
import { blocksOf, plan } from "./blocks.ts";
import { targetOf } from "./links.ts";
import { morph } from "./morph.ts";
import { Pictures } from "./pictures.ts";
import type { Scale } from "./scale.ts";

export interface Shown {
  html: string;
  headings: { text: string }[];
  lines: number;
  title: string; // stands above what does not say it
  language?: string | undefined;
}

interface Placed extends Block {
  element: Element;
}

const budget = 8; // ms of work after which the browser gets a turn

export const inTab = (url: string) => void window.open(url, "_blank", "noopener,noreferrer");

/** A sandboxed frame that shows rendered text in the style that readers get. Nothing in it
 * runs, and it never goes elsewhere. */
export class Frame {
  readonly element = document.createElement("iframe");
  /** What is loaded into the frame, once it is. */
  readonly page = signal<Document | undefined>(undefined);
  /** Is called when something else is shown. */
  changed: () => void = () => {};
  /** Goes where a link leads that is no heading. */
  leads: (url: string) => void = inTab;
  private readonly inert = document.implementation.createHTMLDocument(""); // loads no pictures
  private readonly end = new AbortController();
  private readonly pictures = new Pictures();
  private readonly theme = new MutationObserver(() => this.colour());
  private wanted: Shown | undefined;
  private shown: Placed[] = [];
  private turn = 0;

  constructor(title: string) {
    const f = this.element;
    f.className = "preview-frame";
    f.title = title;
    f.setAttribute("sandbox", "allow-same-origin");
    f.addEventListener("load", () => this.loaded(), { signal: this.end.signal });
    f.srcdoc = shell();
    this.theme.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  }

  close(): void {
    this.turn++;
    this.end.abort();
    this.theme.disconnect();
    this.element.remove();
    this.page.value = undefined;
  }

  show(what: Shown | undefined): void {
    this.wanted = what;
    void this.draw();
  }

  /** How lines and pixels belong together at this moment. */
  get scale(): Scale {
    const top = this.scroller?.scrollTop ?? 0;
    const all = this.shown;
    return {
      count: all.length,
      line: (i) => all[i]!.line,
      top: (i) => all[i]!.element.getBoundingClientRect().top + top,
      lines: this.wanted?.lines ?? 1,
      height: this.scroller?.scrollHeight ?? 0,
    };
  }

  get scroller(): Element | undefined {
    return this.page.value?.scrollingElement ?? undefined;
  }

  private loaded(): void {
    const page = this.element.contentDocument;
    this.shown = [];
    if (page?.URL !== "about:srcdoc") {
      this.page.value = undefined;
      this.element.srcdoc = shell(); // it was led elsewhere
      return;
    }
    this.page.value = page;
    for (const kind of ["click", "auxclick"] as const) page.addEventListener(kind, (e) => this.follow(e), { signal: this.end.signal });
    this.pictures.follow(page, this.end.signal);
    this.colour();
    void this.draw();
  }

  private colour(): void {
    const theme = document.documentElement.dataset["theme"] ?? "system";
    if (this.page.value) this.page.value.documentElement.className = `oct oct-${theme}`;
  }

  private follow(e: MouseEvent): void {
    const link = (e.target as Element).closest("a[href]");
    if (!link) return;
    e.preventDefault();
    const to = targetOf(link.getAttribute("href")!, place);
    if (!to) return;
    if ("anchor" in to) this.page.value?.getElementById(to.anchor)?.scrollIntoView();
    else if (e.type === "auxclick" || e.ctrlKey || e.metaKey || e.shiftKey) inTab(to.url);
    else this.leads(to.url);
  }

  /** Makes the frame show what is wanted, block by block. */
  private async draw(): Promise<void> {
    const turn = ++this.turn;
    const article = this.page.value?.querySelector("article");
    if (!article) return;
    const next = blocksOf(this.wanted?.html ?? "");
    heading(article, this.wanted && !says(this.wanted, next) ? this.wanted.title : "");
    describe(article, this.wanted?.language);
    const old = this.shown;
    const done: Placed[] = [];
    let i = 0;
    let until = performance.now() + budget;
    for (const step of plan(old.map((b) => b.html), next.map((b) => b.html))) {
      if (step !== "keep" && performance.now() > until) {
        this.shown = done.concat(old.slice(i));
        await new Promise((go) => setTimeout(go));
        if (turn !== this.turn) return;
        until = performance.now() + budget;
      }
      const here = old[i];
      if (step !== "add") i++;
      if (step === "drop") here!.element.remove();
      else done.push(this.put(step === "add" ? undefined : here, next[done.length]!, article, here?.element ?? null));
    }
    this.shown = done;
    this.changed();
  }

  private put(here: Placed | undefined, b: Block, article: Element, before: Element | null): Placed {
    if (here?.html !== b.html) {
      const fresh = this.inert.createElement("div");
      fresh.innerHTML = trusted.createHTML(b.html);
      this.pictures.prepare(fresh);
      fresh.setAttribute("data-line", String(b.line));
      if (here) morph(here.element, fresh);
      return { ...b, element: here?.element ?? article.insertBefore(fresh, before) };
    }
    if (here.line !== b.line) here.element.setAttribute("data-line", String(b.line));
    return { ...b, element: here.element };
  }
}

/** The document around what is shown. It has the policy of the page that it stands in. */
function shell(): string {
  const style = document.querySelector<HTMLMetaElement>('meta[name="octavo-preview"]')?.content ?? "";
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = style;
  return trusted.createHTML(`<!doctype html><html class="oct"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">${link.outerHTML}</head><body><div class="site-main"><article></article></div></body></html>`);
}

/** Whether a text says its title itself, as for readers. */
const says = (what: Shown, blocks: Block[]) => blocks[0]?.html.startsWith("<h1") || what.headings.some((h) => h.text === what.title);

/** Has the title stand above the blocks, "" for none. */
function heading(article: Element, title: string): void {
  let h = article.querySelector(":scope > h1");
  if (!title) return h?.remove();
  if (!h) {
    h = article.ownerDocument.createElement("h1");
    article.prepend(h);
  }
  if (h.textContent !== title) h.textContent = title;
}

const toLeft = /^(ar|he|iw|fa|ur|yi|ps|sd|ug|ckb|dv|syr|nqo)(?!-(latn|cyrl))(-|$)|-(arab|hebr|syrc|thaa|nkoo|adlm|rohg)(-|$)/i;

/** Text of a page that names no language runs in the direction of its first letters. */
function describe(article: Element, language = ""): void {
  const direction = !language ? "" : toLeft.test(language) ? "rtl" : "ltr";
  for (const [name, value] of [["lang", language], ["dir", direction]] as const) {
    if (value) article.setAttribute(name, value);
    else article.removeAttribute(name);
  }
}
