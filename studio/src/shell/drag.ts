import { signal } from "@preact/signals";
import { chosen, move } from "./arrange.ts";
import type { Outline } from "./outline.ts";
import { fits, type Where } from "./places.ts";

/** The row that something is dragged over, and where it would go. */
export const over = signal<{ id: string; part: "before" | "inside" | "after" } | undefined>(undefined);

let dragged: string[] = [];

/** Starts to drag a page, or all that were chosen where it is one of them. */
export function start(e: DragEvent, id: string): void {
  dragged = chosen.peek().has(id) ? [...chosen.peek()] : [id];
  e.dataTransfer!.effectAllowed = "move";
  e.dataTransfer!.setData("text/plain", dragged.join("\n"));
}

export function end(): void {
  dragged = [];
  over.value = undefined;
}

const wheres = (o: Outline, i: number): Record<"before" | "inside" | "after", Where> => {
  const { id, parentId } = o.pages[i]!;
  return { before: { parentId, before: id }, inside: { parentId: id }, after: { parentId, after: id } };
};

/** Tells where a page would go that is let go now: the edges of a row are beside it. */
export function hover(e: DragEvent, o: Outline, i: number): void {
  if (dragged.length === 0) return;
  const box = (e.currentTarget as Element).getBoundingClientRect();
  const share = (e.clientY - box.top) / box.height;
  const part = share < 0.25 ? "before" : share > 0.75 ? "after" : "inside";
  if (!fits(o, dragged, wheres(o, i)[part])) return void (over.value = undefined);
  e.preventDefault();
  const id = o.pages[i]!.id;
  if (over.peek()?.id !== id || over.peek()?.part !== part) over.value = { id, part };
}

export function drop(e: DragEvent, o: Outline, i: number): void {
  const at = over.peek();
  if (!at || dragged.length === 0) return;
  e.preventDefault();
  void move(dragged, wheres(o, i)[at.part]);
  end();
}
