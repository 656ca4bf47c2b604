import type { EditorView } from "@codemirror/view";
import { effect, signal, useSignal, type Signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Page } from "../api/types.ts";
import { client } from "../session.ts";
import { t } from "../words.ts";
import { Frame } from "./frame.ts";
import { Rendering } from "./rendering.ts";
import { Together } from "./together.ts";

export interface PreviewProps {
  rendering: Rendering;
  title: string;
  language?: string | undefined;
  view?: EditorView | undefined; // that scrolls along
  scroller?: HTMLElement | undefined; // what it scrolls in, unless itself
  live?: string | undefined; // the page that readers see, to look at in place of the draft
}

const stored = "octavo-scroll-together";
const together = signal(read());

/** The text as readers get it, while it is typed. */
export function Preview(p: PreviewProps) {
  const place = useRef<HTMLDivElement>(null);
  const frame = useSignal<Frame | undefined>(undefined);
  const side = useSignal<"draft" | "live">("draft");
  const page = useLive(side.value === "live" ? p.live : undefined);
  useEffect(() => {
    const made = (frame.value = new Frame(t("preview")));
    place.current!.append(made.element);
    return () => made.close();
  }, []);
  useEffect(() => effect(() => {
    const live = side.value === "live";
    const answer = live ? page.rendering.value?.answer.value : p.rendering.answer.value;
    const { title, language } = live ? { title: page.title.value, language: undefined } : p;
    frame.value?.show(answer && { ...answer, title, language });
  }), [p.rendering, p.title, p.language]);
  useEffect(() => {
    if (!p.view || !frame.value || side.value === "live") return;
    const both = new Together(p.view, frame.value, together, p.scroller);
    return () => both.close();
  }, [p.view, p.scroller, frame.value, side.value]);
  const note = side.value === "live" ? page.note.value : p.rendering.trouble.value;
  return (
    <section class="preview" aria-label={t("preview")}>
      <div class="preview-bar row">
        {p.live && <Sides side={side} />}
        {p.view && side.value === "draft" && <Switch />}
        {p.rendering.waiting.value && side.value === "draft" && (
          <>
            <button type="button" class="button" onClick={() => void p.rendering.now()}>
              {t("previewNow")}
            </button>
            <span class="small muted">{t("previewOnDemand")}</span>
          </>
        )}
        {note && <span class="small muted">{note}</span>}
      </div>
      <div class="preview-place" ref={place} />
    </section>
  );
}

function Switch() {
  return (
    <label class="small">
      <input type="checkbox" checked={together.value} onChange={(e) => keep(e.currentTarget.checked)} />
      {t("scrollTogether")}
    </label>
  );
}

function Sides({ side }: { side: Signal<"draft" | "live"> }) {
  const button = (name: "draft" | "live", text: string) => (
    <button type="button" class="button plain" aria-pressed={side.value === name} onClick={() => (side.value = name)}>
      {text}
    </button>
  );
  return (
    <>
      {button("live", t("previewLive"))}
      {button("draft", t("previewDraft"))}
    </>
  );
}

/** The page as it is live, loaded when it is looked at. */
function useLive(id: string | undefined) {
  const rendering = useSignal<Rendering | undefined>(undefined);
  const title = useSignal("");
  const note = useSignal<string | undefined>(undefined);
  useEffect(() => {
    if (!id) return;
    const gone = new AbortController();
    let stop = () => {};
    void client.call<Page>(`/pages/${id}`, { signal: gone.signal }).then(({ data }) => {
      if (data.status !== "published") {
        note.value = t("previewNeverLive");
        return;
      }
      title.value = data.title;
      const made = (rendering.value = new Rendering(client, () => ({ content: data.content, pageId: id })));
      stop = made.trouble.subscribe((said) => (note.value = said));
      void made.now();
    }, (e: unknown) => {
      if (!gone.signal.aborted) note.value = e instanceof Error ? e.message : String(e);
    });
    return () => {
      gone.abort();
      stop();
      rendering.value?.close();
      rendering.value = note.value = undefined;
    };
  }, [id]);
  return { rendering, title, note };
}

function read(): boolean {
  try {
    return localStorage.getItem(stored) !== "off";
  } catch {
    return true; // the browser keeps nothing
  }
}

function keep(on: boolean): void {
  together.value = on;
  try {
    localStorage.setItem(stored, on ? "on" : "off");
  } catch {
    // It holds until the page is closed.
  }
}
