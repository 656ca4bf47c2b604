import { syntaxTree } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { ViewPlugin, type EditorView, type ViewUpdate } from "@codemirror/view";
import { counting, type Counts } from "./counts.ts";
import { outline, type Heading } from "./outline.ts";

/** What is known of a text when nobody types. */
export interface Told {
  outline: Heading[];
  counts: Counts;
}

/** How long nothing is typed before it is a pause, in milliseconds. */
const quiet = 300;

/** Calls tell at the first pause and at each behind a change, in steps that are short. */
export function atPauses(tell: (told: Told) => void): Extension {
  return ViewPlugin.fromClass(
    class {
      private timer: ReturnType<typeof setTimeout> | undefined;

      constructor(private readonly view: EditorView) {
        this.wait(quiet);
      }

      update(u: ViewUpdate) {
        if (u.docChanged || syntaxTree(u.startState) !== syntaxTree(u.state)) this.wait(quiet);
      }

      private wait(ms: number, work = counting(this.view.state.doc)) {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => {
          const step = work.next();
          if (step.done) tell({ outline: outline(this.view.state), counts: step.value });
          else this.wait(0, work);
        }, ms);
      }

      destroy() {
        clearTimeout(this.timer);
      }
    },
  );
}
