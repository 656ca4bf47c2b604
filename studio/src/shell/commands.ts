import { signal } from "@preact/signals";
import type { Word } from "../words.ts";

/** What the palette offers and, where there is a shortcut, a key does everywhere. */
export interface Command {
  id: string;
  title: string;
  shortcut?: string; // such as "Mod+Shift+P"; Mod is Ctrl, on a Mac Cmd
  run: () => void;
  when?: () => boolean; // else always
}

/** A line of the keyboard help. */
export interface Shortcut {
  group: Word;
  keys: string[]; // any of them
  what: Word;
}

export const commands = signal<readonly Command[]>([]);
export const shortcuts = signal<readonly Shortcut[]>([]);

/** Offers commands until what it returns is called; screens do so while they are shown. */
export function offer(these: readonly Command[]): () => void {
  commands.value = [...commands.peek(), ...these];
  return () => (commands.value = commands.peek().filter((c) => !these.includes(c)));
}

/** Lists shortcuts in the help until what it returns is called. */
export function tell(these: readonly Shortcut[]): () => void {
  shortcuts.value = [...shortcuts.peek(), ...these];
  return () => (shortcuts.value = shortcuts.peek().filter((s) => !these.includes(s)));
}

const mac = typeof navigator !== "undefined" && /Mac|iP(hone|ad)/.test(navigator.platform);

/** A shortcut as people read it. */
export function spelled(shortcut: string, onMac = mac): string {
  const parts = shortcut.split("+");
  if (!onMac) return parts.map((p) => (p === "Mod" ? "Ctrl" : p)).join(" ");
  return parts.map((p) => ({ Mod: "⌘", Shift: "⇧", Alt: "⌥", Ctrl: "⌃" })[p] ?? p).join("");
}

interface Pressed {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
  altKey: boolean;
}

/** Whether a key that was pressed is a shortcut. */
export function pressed(e: Pressed, shortcut: string, onMac = mac): boolean {
  const parts = shortcut.split("+");
  const key = parts.pop()!;
  const mod = parts.includes("Mod");
  return (
    e.key.toLowerCase() === key.toLowerCase() &&
    e.ctrlKey === (parts.includes("Ctrl") || (mod && !onMac)) &&
    e.metaKey === (mod && onMac) &&
    e.shiftKey === parts.includes("Shift") &&
    e.altKey === parts.includes("Alt")
  );
}

/** Runs the command that a key is the shortcut of, unless what has the focus has used it. */
export function followKeys(): () => void {
  const onKey = (e: KeyboardEvent) => {
    if (e.defaultPrevented || e.isComposing || document.querySelector("dialog[open]")) return;
    const command = commands.peek().find((c) => c.shortcut && pressed(e, c.shortcut) && (c.when?.() ?? true));
    if (!command) return;
    e.preventDefault();
    command.run();
  };
  addEventListener("keydown", onKey);
  return () => removeEventListener("keydown", onKey);
}
