import { useEffect, useId, useRef, useState } from "preact/hooks";
import type { TreePage } from "../api/types.ts";
import { Icon } from "../ui/icon.tsx";
import { t } from "../words.ts";
import { below } from "./facts.ts";

interface Props {
  id: string;
  tree: TreePage[];
  onDelete: (children?: "cascade" | "reparent") => void;
}

/** Asks what becomes of the pages below, and deletes. */
export function DeletePage({ id, tree, onDelete }: Props) {
  const own = useId();
  const [asking, setAsking] = useState(false);
  const [children, setChildren] = useState<"cascade" | "reparent">("reparent");
  const heading = useRef<HTMLParagraphElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  useEffect(() => (asking ? heading.current?.focus() : undefined), [asking]);
  const close = () => {
    setAsking(false);
    opener.current?.focus();
  };
  const under = below(tree, id).size;
  const page = tree.find((p) => p.id === id);
  const above = tree.find((p) => p.id === page?.parentId)?.title ?? t("matterTop");
  const choice = (value: "cascade" | "reparent", words: string) => (
    <label>
      <input type="radio" name={own} checked={children === value} onChange={() => setChildren(value)} />
      <span>{words}</span>
    </label>
  );
  return (
    <div class="details-delete">
      <button ref={opener} type="button" class="button danger" aria-expanded={asking} onClick={() => (asking ? close() : setAsking(true))}>
        <Icon name="trash" /> {t("matterDelete")}
      </button>
      {asking && (
        <section class="notice danger" aria-labelledby={`${own}-heading`} onKeyDown={(e) => e.key === "Escape" && close()}>
          <p id={`${own}-heading`} ref={heading} tabIndex={-1}>
            <strong>{t("matterDeleteAsk", page?.title ?? "")}</strong>
          </p>
          <p>{t("matterDeleteWhat")}</p>
          {under > 0 && (
            <fieldset>
              <legend>{t("matterBelow", under)}</legend>
              {choice("reparent", t("matterReparent", above))}
              {choice("cascade", t("matterCascade", under))}
            </fieldset>
          )}
          <div class="row">
            <button type="button" class="button danger" onClick={() => onDelete(under > 0 ? children : undefined)}>
              {t("matterDeleteYes")}
            </button>
            <button type="button" class="button" onClick={close}>
              {t("matterKeep")}
            </button>
          </div>
        </section>
      )}
    </div>
  );
}

/** In place of the details of a page that is deleted; alone, or with those below it. */
export function DeletedPage({ below: under, onRestore }: { below: number; onRestore: (all: boolean) => void }) {
  return (
    <div class="notice warn">
      <p>{t("matterDeleted")}</p>
      <div class="row">
        <button type="button" class="button" onClick={() => onRestore(false)}>
          <Icon name="undo" /> {t("restore")}
        </button>
        {under > 0 && (
          <button type="button" class="button" onClick={() => onRestore(true)}>
            {t("matterRestoreAll", under)}
          </button>
        )}
      </div>
    </div>
  );
}
