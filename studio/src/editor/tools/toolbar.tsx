import type { EditorView } from "@codemirror/view";
import { useId, useRef, useState } from "preact/hooks";
import type { TargetedKeyboardEvent } from "preact";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { type Command, commandOf } from "./commands.ts";
import { say, type Said } from "./say.ts";

interface Menu {
  title: Said;
  icon: IconName;
  ids: string[];
}

const headings: Menu = { title: "headingLevel", icon: "heading", ids: ["paragraph", "heading1", "heading2", "heading3", "heading4"] };
const tables: Menu = {
  title: "table",
  icon: "table",
  ids: ["table", "tableAlign", "tableAddRow", "tableRemoveRow", "tableMoveRowUp", "tableMoveRowDown", "tableAddColumn", "tableRemoveColumn", "tableMoveColumnLeft", "tableMoveColumnRight"],
};

const groups: (readonly [string, IconName] | Menu)[][] = [
  [headings, ["bold", "bold"], ["italic", "italic"], ["code", "code"], ["link", "link"]],
  [["bullets", "list"], ["numbers", "numbers"], ["tasks", "tasks"], ["quote", "quote"]],
  [["codeBlock", "codeBlock"], tables, ["picture", "image"], ["callout", "info"], ["component", "plus"]],
];

const mac = typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.platform);

/** Keys as people write them, such as Ctrl+Shift+K. */
export const keysOf = (shortcut: string): string =>
  shortcut.replace("Mod", mac ? "Cmd" : "Ctrl").split("-").map((k) => (k.length === 1 ? k.toUpperCase() : k)).join("+");

const aria = (shortcut: string): string => shortcut.replace("Mod", mac ? "Meta" : "Control").replaceAll("-", "+");

/** Moves the focus among the elements of a kind by arrow keys, Home and End. */
function rove(e: KeyboardEvent, list: HTMLElement[], back: string, forth: string): HTMLElement | undefined {
  const at = list.indexOf(document.activeElement as HTMLElement);
  const to = e.key === back ? at - 1 : e.key === forth ? at + 1 : e.key === "Home" ? 0 : e.key === "End" ? list.length - 1 : undefined;
  if (to === undefined || !list.length) return undefined;
  e.preventDefault();
  const next = list[(to + list.length) % list.length]!;
  next.focus();
  return next;
}

/** What can be done with the text, for those who do not know its notation. */
export function Toolbar({ view }: { view: EditorView }) {
  const [current, setCurrent] = useState<string>(headings.title);
  const bar = useRef<HTMLDivElement>(null);
  const run = (c: Command) => {
    view.focus();
    c.run(view);
  };
  const onKeyDown = (e: TargetedKeyboardEvent<HTMLDivElement>) => {
    if ((e.target as Element).closest("[role=menu]")) return;
    const rtl = getComputedStyle(e.currentTarget).direction === "rtl";
    const list = [...bar.current!.querySelectorAll<HTMLElement>("[data-tool]")];
    const next = rove(e, list, rtl ? "ArrowRight" : "ArrowLeft", rtl ? "ArrowLeft" : "ArrowRight");
    if (next) setCurrent(next.dataset["tool"]!);
  };
  return (
    <div class="toolbar" role="toolbar" aria-label={say("toolbar")} aria-controls={view.contentDOM.id || undefined} ref={bar} onKeyDown={onKeyDown} onMouseDown={(e) => e.preventDefault()}>
      {groups.map((group) => (
        <div class="toolbar-group" role="group">
          {group.map((tool) => {
            const name = "ids" in tool ? tool.title : tool[0];
            const stop = { tabIndex: current === name ? 0 : -1, onFocus: () => setCurrent(name), "data-tool": name };
            if ("ids" in tool) return <MenuButton menu={tool} stop={stop} run={run} />;
            const c = commandOf(tool[0]);
            return (
              <button
                type="button"
                class="button plain icon-only"
                aria-label={c.title}
                title={c.shortcut ? `${c.title} (${keysOf(c.shortcut)})` : c.title}
                aria-keyshortcuts={c.shortcut && aria(c.shortcut)}
                onClick={() => run(c)}
                {...stop}
              >
                <Icon name={tool[1]} />
              </button>
            );
          })}
        </div>
      ))}
    </div>
  );
}

function MenuButton({ menu, stop, run }: { menu: Menu; stop: object; run: (c: Command) => void }) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const items = () => [...list.current!.querySelectorAll<HTMLElement>("[role=menuitem]")];
  const show = () => {
    const at = button.current!.getBoundingClientRect();
    list.current!.style.insetBlockStart = `${at.bottom + 4}px`;
    list.current!.style.left = `${Math.max(8, Math.min(at.left, innerWidth - 300))}px`;
    list.current!.showPopover();
    items()[0]?.focus();
  };
  const onKeyDown = (e: TargetedKeyboardEvent<HTMLDivElement>) => {
    e.stopPropagation();
    rove(e, items(), "ArrowUp", "ArrowDown");
    if (e.key === "Escape" || e.key === "Tab") {
      e.preventDefault();
      list.current!.hidePopover();
      button.current!.focus();
    }
  };
  return (
    <>
      <button
        type="button"
        class="button plain icon-only"
        ref={button}
        aria-label={say(menu.title)}
        title={say(menu.title)}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => (open ? list.current!.hidePopover() : show())}
        onKeyDown={(e) => {
          if (e.key !== "ArrowDown") return;
          e.preventDefault();
          show();
        }}
        {...stop}
      >
        <Icon name={menu.icon} />
      </button>
      <div id={id} class="toolbar-menu" role="menu" aria-label={say(menu.title)} popover="auto" ref={list} onKeyDown={onKeyDown} onToggle={(e) => setOpen(e.newState === "open")}>
        {menu.ids.map((of) => {
          const c = commandOf(of);
          return (
            <button
              type="button"
              role="menuitem"
              tabIndex={-1}
              aria-keyshortcuts={c.shortcut && aria(c.shortcut)}
              onClick={() => {
                list.current!.hidePopover();
                run(c);
              }}
            >
              <span>{c.title}</span>
              {c.shortcut && <kbd>{keysOf(c.shortcut)}</kbd>}
            </button>
          );
        })}
      </div>
    </>
  );
}
