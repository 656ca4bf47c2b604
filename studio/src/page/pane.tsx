import { effect, useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Draft } from "../draft/draft.ts";
import type { Work } from "../draft/work.ts";
import { type Editor, openEditor } from "../editor/editor.ts";
import { atPauses, type Told } from "../editor/pause.ts";
import { Toolbar, writingTools } from "../editor/tools/tools.ts";
import { Marks } from "../preview/marks.ts";
import { Preview } from "../preview/preview.tsx";
import { Problems } from "../preview/problems.tsx";
import { Rendering } from "../preview/rendering.ts";
import { upload } from "../api/upload.ts";
import { client } from "../session.ts";
import { pages } from "../shell/tree.tsx";
import { Icon } from "../ui/icon.tsx";
import { t } from "../words.ts";
import { Facts, Outline } from "./facts.tsx";
import { formatOf } from "./format.ts";
import { DetailsPanel, MatterPanel } from "./panels.tsx";
import { Side } from "./side.tsx";
import type { Text } from "./writing.tsx";

interface Props {
  draft: Draft;
  text: { current: Text | null };
  hidden: boolean;
  example: boolean; // whether a new page begins with something to write over
  onChange: (part: Partial<Work>) => void;
}

const narrow = matchMedia("(max-width: 800px)");

/** The text, its preview and the panels beside it. */
export function Pane({ draft, text, hidden, example, onChange }: Props) {
  const holder = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<Editor>();
  const [preview, setPreview] = useState(!narrow.matches);
  const [side, setSide] = useState(!narrow.matches);
  const told = useSignal<Told | undefined>(undefined);
  const said = useSignal("");
  const live = draft.live.value;
  const format = formatOf(live);

  const [rendering, marks] = useMemo(() => {
    const made = new Rendering(
      client,
      () => ({ content: text.current?.read() ?? draft.work.value.content, format, ...(draft.live.value ? { pageId: draft.live.value.id } : {}) }),
      () => editor?.view.state.doc.length ?? draft.work.value.content.length,
    );
    return [made, new Marks(made)] as const;
  }, [draft, format]);
  useEffect(() => () => rendering.close(), [rendering]);

  useEffect(() => {
    const made = openEditor(holder.current!, {
      text: draft.work.value.content,
      label: t("content"),
      format,
      onChange: () => onChange({}),
      extensions: [
        writingTools({ client, pageId: draft.live.value?.id ?? null, format, upload, tree: () => pages.value, onNotice: (s) => (said.value = s) }),
        marks.extension,
        atPauses((now) => (told.value = now)),
      ],
    });
    setEditor(made);
    text.current = { read: made.text };
    if (example && !made.text()) made.setText(t("exampleText"));
    // A text that came from elsewhere, such as another tab, takes the place of this one.
    const follow = effect(() => made.setText(draft.shown.value.content));
    return () => {
      follow();
      text.current = null;
      made.destroy();
    };
  }, [draft, format]);

  const problems = marks.problems.value;
  return (
    <div class="pane" hidden={hidden}>
      <div class="pane-tools">
        {editor && <Toolbar view={editor.view} />}
        <span class="spread row">
          <button class="button plain icon-only" aria-pressed={preview} aria-label={t("showPreview")} title={t("showPreview")} onClick={() => setPreview(!preview)}>
            <Icon name="eye" />
          </button>
          <button class="button plain icon-only" aria-pressed={side} aria-label={t("showPanels")} title={t("showPanels")} onClick={() => setSide(!side)}>
            <Icon name="split" />
          </button>
        </span>
      </div>
      <div class={`pane-body ${preview ? "with-preview" : ""} ${side ? "with-side" : ""}`}>
        <div class="pane-text" ref={holder} />
        {preview && (
          <div class="pane-preview">
            <Preview rendering={rendering} title={draft.work.value.title} view={editor?.view} live={live?.id} />
          </div>
        )}
        {side && (
          <aside class="pane-side" aria-label={t("panels")}>
            <Side
              panels={[
                { name: "outline", show: () => <Outline told={told.value} goTo={(line: number) => editor?.goTo(line)} /> },
                { name: "details", show: () => <DetailsPanel draft={draft} onChange={onChange} /> },
                { name: "frontMatter", show: () => <MatterPanel draft={draft} onChange={onChange} /> },
                { name: "problems", count: problems.length, show: () => <Problems problems={problems} go={(p) => editor && marks.go(editor.view, p)} /> },
              ]}
            />
          </aside>
        )}
      </div>
      <footer class="pane-foot">
        <Facts told={told.value} />
        {said.value && <span>{said.value}</span>}
      </footer>
    </div>
  );
}
