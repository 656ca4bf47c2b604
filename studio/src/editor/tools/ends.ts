import type { EditorState, Line } from "@codemirror/state";

// The lines of a state end at "\n". A file with "\r\n" has the "\r" as the last character of
// each line: what is written before it, and what is added, has to have it too.

export function lineEnd(state: EditorState): "\n" | "\r\n" {
  return state.doc.lines > 1 && state.doc.line(1).text.endsWith("\r") ? "\r\n" : "\n";
}

export const withEnds = (state: EditorState, text: string): string => text.replace(/\r?\n/g, lineEnd(state));

/** Where the text of a line ends, before what ends the line. */
export const endOf = (line: Line): number => (line.text.endsWith("\r") ? line.to - 1 : line.to);

export const textOf = (line: Line): string => (line.text.endsWith("\r") ? line.text.slice(0, -1) : line.text);

/** The place nearest to pos that is not between the two characters of a line's end. */
export const clear = (state: EditorState, pos: number): number => Math.min(pos, endOf(state.doc.lineAt(pos)));
