import { signal } from "@preact/signals";
import { useId } from "preact/hooks";
import { Dialog } from "../ui/dialog.tsx";
import { t } from "../words.ts";
import { commands, shortcuts, spelled, type Shortcut } from "./commands.ts";

export const helpOpen = signal(false);

/** The shortcuts of the frame; those of a screen are told by it. */
export const ownShortcuts: Shortcut[] = [
  { group: "keysEverywhere", keys: ["Mod+K"], what: "keyPalette" },
  { group: "keysEverywhere", keys: ["?"], what: "keyHelp" },
  { group: "keysEverywhere", keys: ["Esc"], what: "keyEscape" },
  { group: "keysTree", keys: ["↑", "↓"], what: "keyMove" },
  { group: "keysTree", keys: ["→", "←"], what: "keyOpenClose" },
  { group: "keysTree", keys: ["Enter"], what: "keyEnter" },
  { group: "keysTree", keys: ["Home", "End"], what: "keyEnds" },
  { group: "keysTree", keys: ["*"], what: "keyStar" },
  { group: "keysTree", keys: ["Space"], what: "keyChoose" },
  { group: "keysTree", keys: ["Shift+↑", "Shift+↓"], what: "keyChooseMore" },
  { group: "keysTree", keys: ["Shift+Space"], what: "keyChooseTo" },
  { group: "keysTree", keys: ["Mod+A"], what: "keyChooseAll" },
  { group: "keysTree", keys: ["Alt+↑", "Alt+↓"], what: "keyMovePage" },
  { group: "keysTree", keys: ["Alt+→", "Alt+←"], what: "keyIndent" },
  { group: "keysTree", keys: ["Mod+X"], what: "keyCut" },
  { group: "keysTree", keys: ["Mod+V"], what: "keyPaste" },
  { group: "keysTree", keys: ["Mod+Z"], what: "keyUndoTree" },
  { group: "keysTree", keys: ["Delete"], what: "keyDelete" },
  { group: "keysTree", keys: ["A–Z"], what: "keyLetters" },
];

/** `?` opens the help, but not where it is text, nor where it is a letter to the tree. */
export function followHelpKey(): () => void {
  const onKey = (e: KeyboardEvent) => {
    if (e.key !== "?" || e.defaultPrevented || e.ctrlKey || e.metaKey || e.altKey || document.querySelector("dialog[open]")) return;
    const at = e.target as HTMLElement;
    // A dialog that was closed keeps the focus until the page is drawn again.
    if (at.isContentEditable || (at.closest("input, textarea, select") && !at.closest("dialog"))) return;
    e.preventDefault();
    helpOpen.value = true;
  };
  addEventListener("keydown", onKey);
  return () => removeEventListener("keydown", onKey);
}

export function Help() {
  return helpOpen.value ? (
    <Dialog title={t("keyboardHelp")} class="help" onClose={() => (helpOpen.value = false)}>
      <Groups />
    </Dialog>
  ) : null;
}

function Groups() {
  const id = useId();
  const groups = [...new Set(shortcuts.value.map((s) => s.group))];
  const bound = commands.value.filter((c) => c.shortcut && c.shortcut !== "Mod+K");
  return (
    <>
      {groups.map((g) => (
        <section key={g} aria-labelledby={`${id}-${g}`}>
          <h3 id={`${id}-${g}`}>{t(g)}</h3>
          <dl class="keys">
            {shortcuts.value.filter((s) => s.group === g).map((s) => <Line key={s.what} keys={s.keys} what={t(s.what)} />)}
            {g === "keysEverywhere" && bound.map((c) => <Line key={c.id} keys={[c.shortcut!]} what={c.title} />)}
          </dl>
        </section>
      ))}
    </>
  );
}

const Line = ({ keys, what }: { keys: string[]; what: string }) => (
  <div>
    <dt>
      {keys.map((k) => (
        <kbd key={k}>{spelled(k)}</kbd>
      ))}
    </dt>
    <dd>{what}</dd>
  </div>
);
