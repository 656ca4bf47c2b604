import { type EditorState, StateEffect, StateField, type Transaction } from "@codemirror/state";
import { escapeLabel } from "./links.ts";

// Files on their way into the text. Until the server has one, nothing of it is text.

export interface Pending {
  id: string;
  pos: number; // where it comes; of a picture that is there, where its description comes
  name: string;
  picture: boolean;
  state: "waiting" | "sending" | "failed" | "asking" | "skipped";
  share: number; // of the file that was sent
  message: string; // why it failed
  address: string; // once it is there
}

export const add = StateEffect.define<Pending>({ map: (p, changes) => ({ ...p, pos: changes.mapPos(p.pos, 1) }) });
export const change = StateEffect.define<Partial<Pending> & { id: string }>();
export const remove = StateEffect.define<string>();

export const pending = StateField.define<readonly Pending[]>({
  create: () => [],
  update(list, tr) {
    if (!tr.docChanged && !tr.effects.length) return list;
    const effects = tr.effects.filter((e) => e.is(add) || e.is(change) || e.is(remove));
    let next = list;
    if (tr.docChanged && list.length) next = moved(list, tr, effects.find((e) => e.is(change))?.value.id);
    for (const e of effects) {
      if (e.is(add)) next = [...next, e.value];
      else if (e.is(remove)) next = next.filter((p) => p.id !== e.value);
      else if (e.is(change)) next = next.map((p) => (p.id === e.value.id ? { ...p, ...e.value } : p));
    }
    return next;
  },
});

/** Files that come before the one that is put into the text stay before it. */
function moved(list: readonly Pending[], tr: Transaction, placed: string | undefined): Pending[] {
  const at = list.findIndex((p) => p.id === placed);
  return list.flatMap((p, i) => {
    if (p.id === placed) return [p];
    if (p.state !== "asking" && p.state !== "skipped") return [{ ...p, pos: tr.changes.mapPos(p.pos, at > i ? -1 : 1) }];
    const pos = tr.changes.mapPos(p.pos, -1);
    return asksAt(tr.newDoc.sliceString(pos, pos + p.address.length + 3), p.address) ? [{ ...p, pos }] : [];
  });
}

const asksAt = (text: string, address: string): boolean => text === `](${address})`;

/** Where the picture ends whose description is asked for. */
export const endOfPicture = (p: Pending): number => p.pos + p.address.length + 3;

/** Puts a file that the server has into the text. */
export function place(state: EditorState, p: Pending, address: string) {
  const pos = Math.min(p.pos, state.doc.length);
  const line = state.doc.lineAt(pos);
  const before = state.sliceDoc(line.from, pos);
  const gap = /!\[[^\[\]]*\]\([^()]*\)$/.test(before) ? "\n" + /^[\s>]*/.exec(before)![0] : /[^\s([]$/.test(before) ? " " : "";
  const start = p.picture ? "![" : `[${escapeLabel(p.name)}`;
  const insert = `${gap}${start}](${address})`;
  const done = p.picture ? change.of({ id: p.id, state: "asking", address, pos: pos + gap.length + start.length }) : remove.of(p.id);
  return { changes: { from: pos, insert }, effects: [change.of({ id: p.id }), done], userEvent: "input.paste" };
}

/** Whether files are still being sent, which a closed window would end. */
export const uploading = (state: EditorState): boolean => (state.field(pending, false) ?? []).some((p) => p.state === "waiting" || p.state === "sending");
