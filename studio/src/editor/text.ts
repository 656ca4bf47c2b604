import { isolateHistory } from "@codemirror/commands";
import { EditorState, type Extension, type TransactionSpec } from "@codemirror/state";
import { difference } from "./diff.ts";
import { ends, exactText, keepEnds, read, sameEnds, setEnds } from "./ends.ts";

/** A state that holds a text and gives it back by exactText. */
export function stateOf(text: string, extensions: Extension = []): EditorState {
  const { doc, ends } = read(text);
  return EditorState.create({ doc, extensions: [keepEnds(ends), extensions] });
}

/** What makes another text of a state: one step to undo, which changes what differs only. */
export function replaceText(state: EditorState, text: string): TransactionSpec | null {
  if (text === exactText(state)) return null;
  const now = read(text);
  const changes = difference(state.doc.toString(), now.doc);
  const other = !sameEnds(state.field(ends), now.ends);
  return {
    changes,
    effects: other || now.ends.others.size ? setEnds.of(now.ends) : [],
    annotations: isolateHistory.of("full"),
    userEvent: "input.replace",
  };
}

export { exactText };
