import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { upload } from "../api/upload.ts";
import type { Draft } from "../draft/draft.ts";
import type { Work } from "../draft/work.ts";
import { type Editor, openEditor } from "../editor/editor.ts";
import { formatOf } from "../editor/format.ts";
import { atPauses, type Told } from "../editor/pause.ts";
import { Toolbar, writingTools } from "../editor/tools/tools.ts";
import { Marks } from "../preview/marks.ts";
import { Preview } from "../preview/preview.tsx";
import { Problems } from "../preview/problems.tsx";
import { Rendering } from "../preview/rendering.ts";
import { client } from "../session.ts";
import { pages } from "../shell/pages.ts";
import { Icon } from "../ui/icon.tsx";
import { t } from "../words.ts";
import { Facts, Outline } from "./facts.tsx";
import { DetailsPanel, MatterPanel } from "./panels.tsx";
import { Side } from "./side.tsx";

interface Props {
  draft: Draft;
  text: { current: (() => string) | undefined }; // reads the text as it is now
  hidden: boolean;
  example: boolean; // whether a new page begins with something to write over
  onChange: (part: Partial<Work>) => void;
  onDelete: (children?: "cascade" | "reparent") => void;
}

const narrow = matchMedia("(max-width: 800px)");

/** The text, its preview and the panels beside it. */
export function Pane({ draft, text, hidden, example, onChange, onDelete }: Props) {
  const holder = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<Editor>();
  const [preview, setPreview] = useState(!narrow.matches);
  const [side, setSide] = useState(!narrow.matches);
  const told = useSignal<Told | undefined>(undefined);
  const said = useSignal("");
  const live = draft.live.value;
  const format = useComputed(() => formatOf(draft.work.value.content, draft.live.value?.source, draft.live.value?.frontmatter?.["format"], draft.work.value.dialect)).value;

  const [rendering, marks] = useMemo(() => {
    const made = new Rendering(client, () => {
      const { content, dialect } = draft.work.value;
      return { content: text.current?.() ?? content, ...(draft.live.value ? { pageId: draft.live.value.id, dialect } : dialect && { dialect }) };
    });
    return [made, new Marks(made)] as const;
  }, [draft]);
  useEffect(() => () => rendering.close(), [rendering]);
  const dialect = draft.work.value.dialect;
  const shownIn = useRef(dialect);
  useEffect(() => {
    if (shownIn.current !== dialect) void rendering.now();
    shownIn.current = dialect;
  }, [dialect]);

  useEffect(() => {
    let last = draft.work.value.content; // what the draft and the editor both had
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
    text.current = () => (last = made.text());
    if (example && !last) made.setText(t("sampleText"));
    // A text that came from elsewhere, such as another tab, takes the place of this one.
    // Nothing else may call this: what was typed since would give way to what was shown last.
    const follow = draft.shown.subscribe(({ content }) => {
      if (content === last) return;
      last = content;
      made.setText(content);
    });
    return () => {
      follow();
      text.current = undefined;
      made.destroy();
    };
  }, [draft]);
  useEffect(() => editor?.setFormat(format), [editor, format]);

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
                { name: "details", show: () => <DetailsPanel draft={draft} problem={draft.problem.value} onChange={onChange} onDelete={onDelete} /> },
                { name: "frontMatter", show: () => <MatterPanel draft={draft} problem={draft.problem.value} eol={draft.work.value.content.includes("\r\n") ? "\r\n" : "\n"} onChange={onChange} /> },
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
