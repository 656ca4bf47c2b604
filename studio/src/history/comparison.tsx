import { useEffect, useMemo, useState } from "preact/hooks";
import type { Page } from "../api/types.ts";
import { ProblemNote } from "../ui/problem.tsx";
import { t } from "../words.ts";
import { fieldChanges } from "./compare.ts";
import { Diff } from "./diff.tsx";
import { FieldTable } from "./fields.tsx";
import { RenderedDiff } from "./rendered.tsx";
import { type Choice, readRevision, type State } from "./source.ts";

interface Props {
  page: Page;
  chosen: number;
  other: Choice | undefined;
  draft: State | undefined;
}

type View = "split" | "unified" | "rendered";

const called = (c: Choice): string => (c === "present" ? t("presentText") : c === "draft" ? t("myDraft") : t("revision", c));

/** Shows how two states of a page differ: the older to the newer one. */
export function Comparison({ page, chosen, other, draft }: Props) {
  const narrow = useMemo(() => matchMedia("(max-width: 48rem)").matches, []);
  const [view, setView] = useState<View>(narrow ? "unified" : "split");
  const [pair, setPair] = useState<{ a: State; b: State; names: { a: string; b: string } }>();
  const [fault, setFault] = useState<unknown>();
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    const ended = new AbortController();
    const read = async (c: Choice): Promise<State> => (c === "present" ? page : c === "draft" ? draft! : readRevision(page.id, c, ended.signal));
    const sides: [Choice | undefined, Choice] = typeof other === "number" && other > chosen ? [chosen, other] : typeof other === "string" ? [chosen, other] : [other, chosen];
    const [a, b] = sides;
    setFault(undefined);
    const nothing: State = { title: "", content: "" };
    Promise.all([a === undefined ? nothing : read(a), read(b)]).then(
      ([x, y]) => ended.signal.aborted || setPair({ a: x, b: y, names: { a: a === undefined ? "–" : called(a), b: called(b) } }),
      (e) => ended.signal.aborted || setFault(e),
    );
    return () => ended.abort();
  }, [page, chosen, other, draft, asked]);
  if (fault) return <ProblemNote problem={fault} retry={() => setAsked(asked + 1)} />;
  if (!pair) return <p class="loading">{t("loading")}</p>;
  const { a, b, names } = pair;
  const fields = fieldChanges(a, b);
  const choice = (value: View, label: string) => (
    <label>
      <input type="radio" name="diff-view" checked={view === value} onChange={() => setView(value)} />
      {label}
    </label>
  );
  return (
    <section aria-label={t("diffView")}>
      <h2>{other === undefined ? t("firstRevision") : t("compared", names.b, names.a)}</h2>
      <fieldset class="row history-view">
        <legend class="visually-hidden">{t("diffView")}</legend>
        {choice("split", t("diffSideBySide"))}
        {choice("unified", t("diffUnified"))}
        {choice("rendered", t("diffRendered"))}
      </fieldset>
      <FieldTable fields={fields} names={names} />
      {view === "rendered" ? (
        <RenderedDiff pageId={page.id} a={a.content} b={b.content} names={names} />
      ) : (
        <Diff a={a.content} b={b.content} names={names} unified={view === "unified"} />
      )}
    </section>
  );
}
