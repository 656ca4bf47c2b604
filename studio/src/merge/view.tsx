import { EditorView, lineNumbers } from "@codemirror/view";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { type Editor, openEditor } from "../editor/editor.ts";
import { t } from "../words.ts";
import { difference, endsOf } from "./differ.ts";
import { type Decision, decided, MemberChoice, type MemberConflict, nameOf } from "./members.tsx";
import { merge3 } from "./merge3.ts";
import { type Place, placeAt, placesOf, resultOf, take } from "./state.ts";

export interface MergeProps {
  base: string;
  mine: string;
  theirs: string;
  format: "markdown" | "mdx";
  members?: readonly MemberConflict[];
  labels?: { mine: string; theirs: string };
  /** Takes the merged text, and the value of each member that was decided on. */
  onResolve(text: string, members: Record<string, unknown>): void;
  /** Both versions stay as they are. */
  onCancel(): void;
}

/**
 * Makes one text of two that were made of the same. What is given when it opens is
 * merged: give it another key for other texts.
 */
export function MergeView(p: MergeProps) {
  const labels = p.labels ?? { mine: t("versionMine"), theirs: t("versionTheirs") };
  const members = p.members ?? [];
  const first = useMemo(() => resultOf(merge3(p.base, p.mine, p.theirs)), []);
  const [places, setPlaces] = useState<readonly Place[]>([]);
  const [at, setAt] = useState(0); // the conflict that is shown
  const [decisions, setDecisions] = useState<Record<string, Decision>>({});
  const [refusal, setRefusal] = useState("");
  const editor = useRef<Editor>(undefined);
  const host = useRef<HTMLDivElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);

  useEffect(() => {
    const follow = EditorView.updateListener.of(({ state, selectionSet, docChanged }) => {
      setPlaces(placesOf(state));
      const here = selectionSet || docChanged ? placeAt(state) : -1;
      if (here >= 0) setAt(here);
    });
    const made = openEditor(host.current!, {
      text: first.text,
      label: t("mergeText"),
      format: p.format,
      onChange: () => setRefusal(""),
      extensions: [lineNumbers(), first.extensions, follow],
    });
    editor.current = made;
    setPlaces(placesOf(made.view.state));
    heading.current?.focus();
    return () => made.destroy();
  }, []);

  const goTo = (index: number, focus: boolean) => {
    const made = editor.current!;
    const place = placesOf(made.view.state)[index];
    if (!place) return;
    setAt(index);
    made.view.dispatch({ selection: { anchor: place.from }, scrollIntoView: true });
    if (focus) made.focus();
  };
  const step = (by: 1 | -1, focus: boolean) => goTo((at + by + places.length) % places.length, focus);
  const choose = (choice: "mine" | "theirs" | "both") => {
    editor.current!.view.dispatch(take(editor.current!.view.state, at, choice));
    setRefusal("");
  };
  const lineOf = (place: Place) => editor.current!.view.state.doc.lineAt(place.from).number;

  const finish = () => {
    const values: Record<string, unknown> = {};
    for (const c of members) {
      const d = decisions[c.member];
      if (!d) return setRefusal(t("mergeMember", nameOf(c.member)));
      try {
        values[c.member] = decided(c, d);
      } catch {
        return setRefusal(t("mergeValue", nameOf(c.member)));
      }
    }
    const open = places.findIndex((c) => c.choice === "open");
    if (open < 0) return p.onResolve(editor.current!.text(), values);
    goTo(open, true);
    setRefusal(t("mergeLine", lineOf(places[open]!)));
  };

  const all = places.length + members.length;
  const left = places.filter((c) => c.choice === "open").length + members.filter((c) => !decisions[c.member]).length;
  const shown = places[at];
  return (
    <section
      class="merge"
      aria-label={t("mergeView")}
      onKeyDown={(e) => {
        if (e.key !== "F7" || e.ctrlKey || e.altKey || e.metaKey) return;
        e.preventDefault();
        if (places.length) step(e.shiftKey ? -1 : 1, true);
      }}
    >
      <h2 tabIndex={-1} ref={heading}>
        {t("mergeView")}
      </h2>
      <p>
        {t("mergeHow")} {t("mergeMarks")}
      </p>
      <div class="merge-bar">
        <span class="merge-count" role="status">
          {all === 0 ? t("mergeNone") : left === 0 ? t("mergeDone") : t("mergeLeft", left, all)}
        </span>
        <button type="button" class="button primary" onClick={finish}>
          {t("merge")}
        </button>
        <button type="button" class="button" onClick={p.onCancel}>
          {t("mergeCancel")}
        </button>
      </div>
      <p class="merge-refusal" role="alert">
        {refusal}
      </p>
      {members.map((c) => (
        <MemberChoice
          key={c.member}
          conflict={c}
          labels={labels}
          decision={decisions[c.member]}
          onDecide={(d) => {
            setRefusal("");
            setDecisions((all) => ({ ...all, [c.member]: d }));
          }}
        />
      ))}
      {shown && (
        <Clashing
          place={shown}
          labels={labels}
          title={t("mergeAt", at + 1, places.length, lineOf(shown))}
          onChoose={choose}
          onStep={places.length > 1 ? (by) => step(by, false) : undefined}
        />
      )}
      <div class="merge-result" ref={host} />
    </section>
  );
}

interface ClashingProps {
  place: Place;
  labels: { mine: string; theirs: string };
  title: string;
  onChoose(choice: "mine" | "theirs" | "both"): void;
  onStep: ((by: 1 | -1) => void) | undefined;
}

/** One conflict of the text: what all three say, and what can be taken. */
function Clashing({ place, labels, title, onChoose, onStep }: ClashingProps) {
  const { clash, choice } = place;
  const side = (label: string, text: string) => (
    <div>
      <h4>{label}</h4>
      <pre tabIndex={0} aria-label={label} role="group">
        {text || <em>{t("noLines")}</em>}
      </pre>
    </div>
  );
  const kind = difference(clash.mine, clash.theirs);
  return (
    <section class="merge-clash" aria-label={title}>
      <div class="merge-bar">
        <h3>{title}</h3>
        <span class={`merge-choice ${choice}`} role="status">
          {t(`choice_${choice}`)}
        </span>
        {onStep && (
          <>
            <button type="button" class="button plain" aria-keyshortcuts="Shift+F7" title="Shift+F7" onClick={() => onStep(-1)}>
              {t("mergePrevious")}
            </button>
            <button type="button" class="button plain" aria-keyshortcuts="F7" title="F7" onClick={() => onStep(1)}>
              {t("mergeNext")}
            </button>
          </>
        )}
      </div>
      {kind === "ends" && <p>{t("differs_ends", endsOf(clash.mine).join(", "), endsOf(clash.theirs).join(", "))}</p>}
      {kind === "blanks" && <p>{t("differs_blanks")}</p>}
      <div class="merge-sides">
        {side(labels.mine, clash.mine)}
        {side(t("versionBefore"), clash.base)}
        {side(labels.theirs, clash.theirs)}
      </div>
      <div class="merge-bar">
        <button type="button" class="button" onClick={() => onChoose("mine")}>
          {t("takeMine")}
        </button>
        <button type="button" class="button" onClick={() => onChoose("theirs")}>
          {t("takeTheirs")}
        </button>
        <button type="button" class="button" onClick={() => onChoose("both")}>
          {t("takeBoth")}
        </button>
      </div>
    </section>
  );
}
