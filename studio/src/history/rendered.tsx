import { useEffect, useRef, useState } from "preact/hooks";
import type { Rendered } from "../api/types.ts";
import { blocksOf } from "../preview/blocks.ts";
import { Frame } from "../preview/frame.ts";
import { client } from "../session.ts";
import { ProblemNote } from "../ui/problem.tsx";
import { t, type Word } from "../words.ts";
import { type Mark, markBlocks } from "./compare.ts";

interface Props {
  pageId: string;
  a: string;
  b: string;
  names: { a: string; b: string };
}

interface Sides {
  a: Rendered;
  b: Rendered;
  marks: { a: Mark[]; b: Mark[] };
}

/** Two texts as readers get them, with the blocks marked in which they differ. */
export function RenderedDiff({ pageId, a, b, names }: Props) {
  const [sides, setSides] = useState<Sides>();
  const [fault, setFault] = useState<unknown>();
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    const ended = new AbortController();
    const render = async (content: string) =>
      (await client.call<Rendered>("/render", { method: "POST", body: { content, pageId }, signal: ended.signal })).data;
    setFault(undefined);
    setSides(undefined);
    Promise.all([render(a), render(b)]).then(
      ([x, y]) => ended.signal.aborted || setSides({ a: x, b: y, marks: markBlocks(htmlOf(x), htmlOf(y)) }),
      (e) => ended.signal.aborted || setFault(e),
    );
    return () => ended.abort();
  }, [pageId, a, b, asked]);
  if (fault) return <ProblemNote problem={fault} retry={() => setAsked(asked + 1)} />;
  if (!sides) return <p class="loading">{t("loading")}</p>;
  const count = (marks: Mark[], mark: Mark) => marks.filter((m) => m === mark).length;
  const { marks } = sides;
  return (
    <>
      <p role="status">{t("blocksChanged", count(marks.b, "changed"), count(marks.b, "added"), count(marks.a, "removed"))}</p>
      <div class="rendered-diff">
        <Side name={names.a} shown={sides.a} marks={marks.a} />
        <Side name={names.b} shown={sides.b} marks={marks.b} />
      </div>
    </>
  );
}

const htmlOf = (r: Rendered) => blocksOf(r.html).map((b) => b.html);

const words: Record<Exclude<Mark, "">, Word> = { added: "blockAdded", removed: "blockRemoved", changed: "blockChanged" };

// The frame has a document of its own, so that what marks its blocks has to be there.
const style = `[data-mark] { margin-inline-start: -0.75rem; padding-inline-start: 0.5rem; border-inline-start: 0.25rem double; }
[data-mark]::before { content: attr(data-mark); display: block; font: 600 0.75rem/1.5 system-ui, sans-serif; }
.mark-added { border-inline-start-style: solid; border-color: light-dark(#19703a, #6ccf8a); background: light-dark(#eaf6ee, #17291e); }
.mark-removed { border-inline-start-style: dashed; border-color: light-dark(#b3261e, #ff8f87); background: light-dark(#fdeeed, #351d1d); }
.mark-changed { border-color: light-dark(#855600, #e6b450); background: light-dark(#fdf5e3, #2e2716); }`;

function Side({ name, shown, marks }: { name: string; shown: Rendered; marks: Mark[] }) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const frame = new Frame(name);
    const grows = new ResizeObserver(() => {
      const body = frame.page.value?.body;
      if (body) frame.element.style.height = `${Math.ceil(body.getBoundingClientRect().height) + 48}px`;
    });
    frame.changed = () => {
      const page = frame.page.value;
      if (!page?.defaultView) return;
      if (page.adoptedStyleSheets.length === 0) {
        const sheet = new page.defaultView.CSSStyleSheet();
        sheet.replaceSync(style);
        page.adoptedStyleSheets.push(sheet);
      }
      page.querySelectorAll("article > [data-line]").forEach((block, i) => {
        const mark = marks[i];
        if (!mark) return;
        block.classList.add(`mark-${mark}`);
        block.setAttribute("data-mark", t(words[mark]));
      });
      grows.observe(page.body);
    };
    host.current!.append(frame.element);
    frame.show({ ...shown, lines: 1, title: "" });
    return () => {
      grows.disconnect();
      frame.close();
    };
  }, [name, shown, marks]);
  return (
    <div>
      <h3>{name}</h3>
      <div ref={host} />
    </div>
  );
}
