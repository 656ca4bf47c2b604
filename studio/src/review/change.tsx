import { useEffect, useRef, useState } from "preact/hooks";
import { Problem, Told } from "../api/client.ts";
import type { Change, Check } from "../api/types.ts";
import { fieldChanges } from "../history/compare.ts";
import { Diff } from "../history/diff.tsx";
import { FieldTable } from "../history/fields.tsx";
import { RenderedDiff } from "../history/rendered.tsx";
import { addressOf } from "../router.ts";
import { byId } from "../shell/pages.ts";
import { useAct } from "../ui/act.ts";
import { useKept } from "../ui/kept.ts";
import { ProblemNote } from "../ui/problem.tsx";
import { t, type Word } from "../words.ts";
import { EditText, JoinTexts } from "./edit.tsx";
import { Names } from "./names.tsx";
import { type Comment, newest, putChange, readChange, type Side, type Texts } from "./read.ts";
import { say } from "./say.ts";
import { Solve } from "./solve.tsx";
import { applied, linesFrom } from "./suggest.ts";
import { type At, Composer, Thread } from "./thread.tsx";

export type View = "split" | "unified" | "rendered";

const opWords: Record<Change["op"], Word> = { create: "changeCreate", update: "changeUpdate", delete: "changeDelete", restore: "changeRestore" };

interface Props {
  proposal: string;
  of: Change; // without its texts
  view: View;
  checks: readonly Check[];
  comments: readonly Comment[];
  open: boolean; // the proposal can still be changed
  author: boolean; // whoever looks may change it
  onChange: () => void;
}

/** One change of a proposal: how the page becomes another, and what is said of its lines. */
export function ChangeSection(p: Props) {
  const { of, proposal } = p;
  const section = useRef<HTMLElement>(null);
  const [seen, setSeen] = useState(false);
  const [texts, setTexts] = useState<Texts>();
  const [fault, setFault] = useState<unknown>();
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    const watch = new IntersectionObserver((all) => all.some((e) => e.isIntersecting) && setSeen(true), { rootMargin: "600px" });
    watch.observe(section.current!);
    return () => watch.disconnect();
  }, []);
  useEffect(() => {
    if (!seen) return;
    const end = new AbortController();
    setFault(undefined);
    readChange(proposal, of.id, end.signal).then(setTexts, (e: unknown) => end.signal.aborted || setFault(e));
    return () => end.abort();
  }, [seen, asked, of]);
  const title = of.title ?? (of.pageId && byId.value.get(of.pageId)?.title) ?? of.pageId ?? of.slug ?? "";
  return (
    <section class="review-change" ref={section} aria-label={title}>
      <h2>
        {t(opWords[of.op])} {of.pageId && byId.value.has(of.pageId) ? <a href={addressOf({ name: "page", id: of.pageId })}>{title}</a> : <bdi>{title}</bdi>}
      </h2>
      {p.checks.map((c, i) => (
        <p key={i} class={`notice ${c.severity === "error" ? "danger" : "warn"}`}>
          {c.message}
        </p>
      ))}
      {fault !== undefined && <ProblemNote problem={fault} retry={() => setAsked(asked + 1)} />}
      {texts ? <Shown {...p} texts={texts} /> : fault === undefined && <p class="loading">{t("loading")}</p>}
    </section>
  );
}

/** What is done to a change, with its texts as they were when that began. */
type Doing =
  | { what: "solve" | "names"; texts: Texts }
  | { what: "edit"; texts: Texts; mine?: string } // mine was written already
  | { what: "join"; texts: Texts; mine: string; newer: Texts }; // somebody else has saved another text meanwhile

const textOf = ({ change, before }: Texts): string => change.content ?? before?.content ?? "";

function Shown({ proposal, view, checks, comments, open, author, onChange, texts }: Props & { texts: Texts }) {
  const { change, before } = texts;
  const [doing, setDoing] = useState<Doing>();
  const [at, setAt] = useKept<At | undefined>(`${change.id}.at`, undefined);
  const act = useAct();
  const a = before?.content ?? "";
  const b = change.content ?? a;
  const names = { a: t("presentText"), b: t("proposed") };
  const fields = fieldChanges({ title: before?.title ?? "", slug: before?.slug, frontmatter: before?.frontmatter }, { title: change.title ?? before?.title ?? "", slug: change.slug ?? before?.slug, frontmatter: change.frontmatter ?? before?.frontmatter });
  const done = () => {
    setDoing(undefined);
    onChange();
  };
  const conflict = checks.some((c) => c.kind === "conflict");
  const onLine = (side: Side, line: number) => setAt({ changeId: change.id, side, line, quote: linesFrom(side === "base" ? a : b, line, 1) });
  const take = (c: Comment) => async () => {
    const fresh = await readChange(proposal, change.id);
    const content = applied(fresh.change.content ?? b, c.line ?? 0, c.quote ?? "", c.suggestion!);
    if (content === undefined) throw new Told(say("linesGone"));
    await putChange(proposal, fresh, { content });
  };
  if (doing?.what === "solve") return <Solve proposal={proposal} texts={doing.texts} onDone={done} onCancel={() => setDoing(undefined)} />;
  const save = (of: Texts) => async (content: string) => {
    try {
      await putChange(proposal, of, { content });
    } catch (e) {
      if (!(e instanceof Problem && e.status === 412)) throw e;
      return setDoing({ what: "join", texts: of, mine: content, newer: await readChange(proposal, change.id) });
    }
    done();
  };
  if (doing?.what === "edit") return <EditText before={textOf(doing.texts)} text={doing.mine ?? textOf(doing.texts)} onSave={save(doing.texts)} onCancel={() => setDoing(undefined)} />;
  if (doing?.what === "join") {
    const { texts: of, mine, newer } = doing;
    return <JoinTexts key={newer.etag} before={textOf(of)} text={mine} theirs={textOf(newer)} onSave={save(newer)} onCancel={() => setDoing({ what: "edit", texts: of, mine })} />;
  }
  const roots = comments.filter((c) => !c.replyTo);
  return (
    <>
      {open && author && conflict && (change.op === "delete" || change.op === "restore") && change.pageId && (
        <p>
          <button type="button" class="button primary" disabled={act.busy} onClick={() => void act.run(async () => putChange(proposal, texts, { baseRevision: (await newest(change.pageId!)).number })).then(onChange)}>
            {say("proposeAgain")}
          </button>
        </p>
      )}
      {act.fault !== undefined && <ProblemNote problem={act.fault} />}
      {doing?.what === "names" && <Names proposal={proposal} texts={doing.texts} onDone={onChange} onClose={() => setDoing(undefined)} />}
      {open && author && change.op !== "delete" && change.op !== "restore" && (
        <p class="row">
          {conflict && change.pageId && (
            <button type="button" class="button primary" onClick={() => setDoing({ what: "solve", texts })}>
              {say("solve")}
            </button>
          )}
          <button type="button" class="button" onClick={() => setDoing({ what: "edit", texts })}>
            {say("editText")}
          </button>
          <button type="button" class="button" onClick={() => setDoing({ what: "names", texts })}>
            {say("editNames")}
          </button>
        </p>
      )}
      <FieldTable fields={fields} names={names} />
      {change.content !== undefined &&
        (view === "rendered" ? <RenderedDiff pageId={change.pageId ?? ""} a={a} b={b} names={names} /> : <Diff a={a} b={b} names={names} unified={view === "unified"} onLine={onLine} />)}
      {roots.map((c) => (
        <Thread key={c.id} proposal={proposal} author={author} of={c} replies={comments.filter((r) => r.replyTo === c.id)} onChange={onChange} onTake={open && author && change.content !== undefined ? take(c) : undefined} />
      ))}
      {at ? (
        <Composer key={`${at.side} ${at.line}`} proposal={proposal} at={at} onDone={() => (setAt(undefined), onChange())} onCancel={() => setAt(undefined)} />
      ) : (
        change.content !== undefined && <LineForm lines={b.split("\n").length} onLine={(line) => onLine("proposed", line)} />
      )}
    </>
  );
}

/** Asks for the line of a comment, beside the numbers in the text that can be pressed. */
function LineForm({ lines, onLine }: { lines: number; onLine: (line: number) => void }) {
  const [line, setLine] = useState("1");
  return (
    <form
      class="row"
      onSubmit={(e) => {
        e.preventDefault();
        onLine(Number(line));
      }}
    >
      <label class="row">
        {say("line")}
        <input class="field review-line" type="number" min={1} max={lines} required value={line} onInput={(e) => setLine(e.currentTarget.value)} />
      </label>
      <button class="button">{say("commentLine")}</button>
    </form>
  );
}
