import { Change, MergeView, presentableDiff, unifiedMergeView } from "@codemirror/merge";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView, highlightSpecialChars, highlightWhitespace, lineNumbers } from "@codemirror/view";
import { read } from "../editor/ends.ts";
import { diffLines, linesOf } from "../merge/lines.ts";
import { t } from "../words.ts";

export interface EditorsOptions {
  a: string;
  b: string;
  names: { a: string; b: string };
  unified: boolean;
  blanks: boolean; // whether blanks are made visible
  whole: boolean; // what has not changed too
  onLine?: (side: "base" | "proposed", line: number) => void;
}

/** What has changed, by lines as merges see them, and within them by words. */
function changes(a: string, b: string): Change[] {
  const [x, y] = [linesOf(a), linesOf(b)];
  const found: Change[] = [];
  let i = 0, k = 0; // lines that were gone through
  let atA = 0, atB = 0; // where they end
  for (const c of diffLines(x, y)) {
    for (; i < c.from; i++, k++) [atA, atB] = [atA + x[i]!.length, atB + x[i]!.length];
    const [before, after] = [x.slice(c.from, c.to).join(""), y.slice(c.newFrom, c.newTo).join("")];
    for (const p of presentableDiff(before, after, { scanLimit: 500 })) {
      found.push(new Change(p.fromA + atA, p.toA + atA, p.fromB + atB, p.toB + atB));
    }
    [i, k, atA, atB] = [c.to, c.newTo, atA + before.length, atB + after.length];
  }
  return found;
}

/** Shows how two texts differ, in editors that cannot be written in. */
export function openEditors(parent: HTMLElement, o: EditorsOptions): { destroy(): void } {
  const nonce = document.querySelector<HTMLMetaElement>('meta[name="octavo-nonce"]')?.nonce ?? "";
  const numbers = (side: "base" | "proposed"): Extension =>
    lineNumbers({
      domEventHandlers: {
        click(view, block) {
          o.onLine?.(side, view.state.doc.lineAt(block.from).number);
          return true;
        },
      },
    });
  const look = (label: string, side: "base" | "proposed"): Extension => [
    EditorView.cspNonce.of(nonce),
    EditorView.lineWrapping,
    EditorView.editable.of(false),
    EditorState.readOnly.of(true),
    EditorState.tabSize.of(4),
    EditorState.phrases.of({ "$ unchanged lines": t("unchangedLines", "$") }),
    EditorView.contentAttributes.of({ "aria-label": label, "aria-readonly": "true", tabindex: "0" }),
    numbers(side),
    EditorView.editorAttributes.of({ class: o.onLine ? "diff-lines" : "" }),
    highlightSpecialChars(),
    o.blanks ? highlightWhitespace() : [],
  ];
  const shared = { ...(o.whole ? {} : { collapseUnchanged: { margin: 3, minSize: 6 } }), diffConfig: { override: changes } };
  const [a, b] = [read(o.a).doc, read(o.b).doc];
  if (o.unified) {
    const how = unifiedMergeView({ ...shared, original: a, mergeControls: false, syntaxHighlightDeletions: false });
    const state = EditorState.create({ doc: b, extensions: [look(`${o.names.a} – ${o.names.b}`, "proposed"), how] });
    return new EditorView({ parent, state });
  }
  const [left, right] = [look(o.names.a, "base"), look(o.names.b, "proposed")];
  return new MergeView({ ...shared, parent, a: { doc: a, extensions: left }, b: { doc: b, extensions: right } });
}
