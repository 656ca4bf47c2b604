import { nextDiagnostic, previousDiagnostic, setDiagnostics } from "@codemirror/lint";
import { ChangeSet, type Extension, type Text } from "@codemirror/state";
import { EditorView, keymap, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import { signal } from "@preact/signals";
import { t } from "../words.ts";
import type { Problem } from "./notices.ts";
import { problemsOf } from "./notices.ts";
import type { Rendering } from "./rendering.ts";

/** Marks in an editor what the server tells of its text, and asks it when that changes. */
export class Marks {
  /** As they were in the text that was rendered. */
  readonly problems = signal<readonly Problem[]>([]);
  readonly extension: Extension;
  private readonly plugin: ViewPlugin<Follower>;

  constructor(rendering: Rendering) {
    this.plugin = ViewPlugin.define((view) => new Follower(view, rendering, this.problems));
    this.extension = [this.plugin, keymap.of([{ key: "F8", run: nextDiagnostic, shift: previousDiagnostic }])];
  }

  /** Puts the cursor to a problem. */
  go(view: EditorView, problem: Problem): void {
    const at = view.plugin(this.plugin)?.now(problem.from);
    if (at === undefined) return;
    view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }), userEvent: "select" });
    view.focus();
  }
}

/** Where a text has changed since a moment. */
interface Since {
  doc: Text;
  changes: ChangeSet;
}

class Follower {
  private asked: Since;
  private answered: Since;
  private readonly stop: (() => void)[];
  private readonly view: EditorView;
  private readonly rendering: Rendering;

  constructor(view: EditorView, rendering: Rendering, problems: { value: readonly Problem[] }) {
    this.view = view;
    this.rendering = rendering;
    this.asked = this.answered = from(view.state.doc);
    let mine = false; // what was answered before is of another view
    this.stop = [
      rendering.asked.subscribe(() => (this.asked = from(view.state.doc))),
      rendering.answer.subscribe((answer) => {
        if (!mine || !answer) return;
        this.answered = this.asked;
        const found = (problems.value = problemsOf(this.asked.doc, answer, (href) => t("brokenLink", href)));
        this.mark(found);
      }),
    ];
    mine = true;
    rendering.changed(view.state.doc.length);
  }

  update(u: ViewUpdate): void {
    if (!u.docChanged) return;
    const same = this.asked === this.answered;
    this.asked = later(this.asked, u.changes);
    this.answered = same ? this.asked : later(this.answered, u.changes);
    this.rendering.changed(u.state.doc.length);
  }

  now(position: number): number {
    return this.answered.changes.mapPos(position, 1);
  }

  destroy(): void {
    for (const stop of this.stop) stop();
  }

  private mark(problems: readonly Problem[]): void {
    const { changes } = this.asked;
    const there = problems
      .map((p) => ({ from: changes.mapPos(p.from, 1), to: changes.mapPos(p.to, -1), severity: "warning" as const, message: p.message }))
      .filter((d) => d.to > d.from || changes.empty);
    this.view.dispatch(setDiagnostics(this.view.state, there));
  }
}

const from = (doc: Text): Since => ({ doc, changes: ChangeSet.empty(doc.length) });
const later = (s: Since, changes: ChangeSet): Since => ({ doc: s.doc, changes: s.changes.compose(changes) });
