import { useId, useRef, useState } from "preact/hooks";
import { Icon, type IconName } from "./icon.tsx";
import { placeBeside } from "./popover.ts";

export interface MenuItem {
  label: string;
  icon?: IconName;
  run?: () => void;
  href?: string;
  external?: boolean; // the address opens in a tab of its own
  checked?: boolean; // one of several that exclude each other
  danger?: boolean;
  disabled?: boolean;
}

interface Props {
  label: string; // of the button and the menu
  items: MenuItem[];
  note?: string; // above the items
  icon: IconName; // what the button shows
}

/** A button that opens a menu: the arrow keys, Home, End, letters, Enter, Escape, Tab. */
export function Menu({ label, icon, items, note }: Props) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const entries = () => [...menu.current!.querySelectorAll<HTMLElement>(".menu-item")];
  const show = (from: "first" | "last") => {
    menu.current!.showPopover();
    placeBeside(menu.current!, button.current!);
    entries().at(from === "first" ? 0 : -1)?.focus();
  };
  const hide = () => {
    menu.current!.hidePopover();
    button.current!.focus();
  };
  const onButtonKey = (e: KeyboardEvent) => {
    if (e.key !== "ArrowDown" && e.key !== "ArrowUp") return;
    e.preventDefault();
    show(e.key === "ArrowDown" ? "first" : "last");
  };
  const onMenuKey = (e: KeyboardEvent) => {
    const all = entries();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const to = nextItem(e, at, all.map((el) => el.textContent ?? ""));
    if (to !== undefined) all[to]?.focus();
    else if (e.key === "Escape") hide();
    else if (e.key === "Tab") return hide(); // and the browser goes on from the button
    else if (e.key === " ") all[at]?.click();
    else return;
    e.preventDefault();
    e.stopPropagation();
  };
  const choose = (item: MenuItem) => (e: Event) => {
    if (item.disabled) return e.preventDefault();
    hide();
    item.run?.();
  };
  return (
    <>
      <button ref={button} type="button" class="button plain icon-only" aria-label={label} title={label} aria-haspopup="menu" aria-expanded={open} aria-controls={id} onKeyDown={onButtonKey} onClick={() => (open ? hide() : show("first"))}>
        <Icon name={icon} />
      </button>
      <div ref={menu} id={id} class="menu" popover="auto" onKeyDown={onMenuKey} onToggle={(e) => setOpen(e.newState === "open")}>
        {note && <p class="menu-label">{note}</p>}
        <div role="menu" aria-label={label}>
          {items.map((item) => {
            const shared = {
              class: `menu-item${item.danger ? " danger" : ""}`,
              tabIndex: -1,
              role: item.checked === undefined ? ("menuitem" as const) : ("menuitemradio" as const),
              "aria-checked": item.checked,
              "aria-disabled": item.disabled || undefined,
              onClick: choose(item),
            };
            const inside = (
              <>
                {item.checked !== undefined && <span class="check">{item.checked && <Icon name="check" />}</span>}
                {item.icon && <Icon name={item.icon} />}
                {item.label}
                {item.external && <Icon name="external" />}
              </>
            );
            const tab = item.external ? { target: "_blank", rel: "noopener" } : {};
            return item.href ? <a key={item.label} href={item.href} {...tab} {...shared}>{inside}</a> : <button key={item.label} type="button" {...shared}>{inside}</button>;
          })}
        </div>
      </div>
    </>
  );
}

/** The item that a key goes to. */
function nextItem(e: KeyboardEvent, at: number, labels: string[]): number | undefined {
  const n = labels.length;
  switch (e.key) {
    case "ArrowDown":
      return (at + 1) % n;
    case "ArrowUp":
      return (at + n - 1) % n;
    case "Home":
      return 0;
    case "End":
      return n - 1;
  }
  if (e.key.length !== 1 || e.key === " " || e.ctrlKey || e.metaKey || e.altKey) return undefined;
  const letter = e.key.toLocaleLowerCase();
  for (let i = 1; i <= n; i++) if (labels[(at + i) % n]!.toLocaleLowerCase().startsWith(letter)) return (at + i) % n;
  return undefined;
}
