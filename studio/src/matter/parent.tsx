import { useId, useRef, useState } from "preact/hooks";
import type { TreePage } from "../api/types.ts";
import { t } from "../words.ts";
import { parents } from "./facts.ts";

interface Props {
  id: string | null; // the page that is moved, null for a new one
  value: string | null;
  tree: TreePage[];
  disabled: boolean;
  fault: string;
  hint?: string;
  onChange: (parent: string | null) => void;
}

const most = 50;

/** Chooses the page above: a field that searches the tree, with a list below it. */
export function ParentPicker({ id, value, tree, disabled, fault, hint, onChange }: Props) {
  const own = useId();
  const [typed, setTyped] = useState<string>(); // undefined while it is closed
  const [active, setActive] = useState<number>(); // undefined before a key moves it
  const list = useRef<HTMLUListElement>(null);
  const open = typed !== undefined;
  const { shown, more } = open ? parents(tree, id, typed, most) : { shown: [], more: 0 };
  const choices = [...(typed?.trim() ? [] : [{ id: null, title: t("matterTop"), path: "" }]), ...shown];
  const at = active === undefined ? Math.max(0, typed ? 0 : choices.findIndex((c) => c.id === value)) : Math.min(active, choices.length - 1);
  const now = value === null ? t("matterTop") : (tree.find((p) => p.id === value)?.title ?? value);
  const close = () => (setTyped(undefined), setActive(undefined));
  const choose = (parent: string | null) => {
    close();
    if (parent !== value) onChange(parent);
  };
  const move = (to: number) => {
    setActive((to + choices.length) % choices.length);
    list.current?.children[(to + choices.length) % choices.length]?.scrollIntoView({ block: "nearest" });
  };
  const onKey = (e: KeyboardEvent) => {
    if (e.isComposing) return;
    const steps: Record<string, () => void> = {
      ArrowDown: () => (open ? move(at + 1) : setTyped("")),
      ArrowUp: () => (open ? move(at - 1) : setTyped("")),
      ...(open && { Enter: () => choices[at] && choose(choices[at].id), Escape: close }),
    };
    const step = steps[e.key];
    if (!step) return;
    e.preventDefault();
    e.stopPropagation();
    step();
  };
  return (
    <div class="parent-picker">
      <label for={`${own}-field`}>{t("matterParent")}</label>
      <input
        id={`${own}-field`}
        class="field"
        role="combobox"
        aria-expanded={open}
        aria-controls={`${own}-list`}
        aria-autocomplete="list"
        aria-invalid={fault !== ""}
        aria-describedby={`${own}-hint${fault ? ` ${own}-fault` : ""}`}
        {...(open && choices.length > 0 && { "aria-activedescendant": `${own}-${at}` })}
        autocomplete="off"
        dir="auto"
        disabled={disabled}
        placeholder={open ? now : ""}
        value={typed ?? now}
        onClick={() => open || setTyped("")}
        onInput={(e) => (setTyped(e.currentTarget.value), setActive(undefined))}
        onKeyDown={onKey}
        onBlur={close}
      />
      <ul ref={list} id={`${own}-list`} role="listbox" aria-label={t("matterParent")} class="parent-list" hidden={!open || choices.length === 0}>
        {choices.map((c, i) => (
          <li
            key={c.id ?? ""}
            id={`${own}-${i}`}
            role="option"
            aria-selected={i === at}
            onMouseDown={(e) => e.preventDefault()}
            onClick={() => choose(c.id)}
          >
            <bdi>{c.title}</bdi>
            {c.path && <span class="muted small">{c.path}</span>}
          </li>
        ))}
      </ul>
      {open && (more > 0 || choices.length === 0) && (
        <p class="hint">{choices.length === 0 ? t("matterNoPage") : t("matterMore", more)}</p>
      )}
      <p class="hint" id={`${own}-hint`}>
        {hint ?? t("matterParentHint")}
      </p>
      {fault && (
        <p class="error" id={`${own}-fault`}>
          {fault}
        </p>
      )}
    </div>
  );
}
