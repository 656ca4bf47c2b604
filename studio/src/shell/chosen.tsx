import { useState } from "preact/hooks";
import { Confirm } from "../page/confirm.tsx";
import { may } from "../session.ts";
import { FormDialog, TextField } from "../ui/form.tsx";
import { Icon } from "../ui/icon.tsx";
import { Menu } from "../ui/menu.tsx";
import { ProblemNote } from "../ui/problem.tsx";
import { t } from "../words.ts";
import { busy, chosen, clear, cut, done, refused, remove, setStatus, tag, undo, undoable } from "./arrange.ts";
import { outline } from "./pages.ts";
import { tops } from "./places.ts";

/** What can be done with the pages that were chosen in the tree, and what was done last. */
export function Chosen() {
  const [asked, setAsked] = useState<"" | "tag" | "delete">("");
  if (!may("pages:write")) return null;
  const ids = [...chosen.value];
  return (
    <>
      <p class="tree-done small" role="status">
        {cut.value.length > 0 ? t("cutPages", cut.value.length) : done.value}
        {undoable() && cut.value.length === 0 && (
          <button type="button" class="button plain small" disabled={busy.value} onClick={() => void undo()}>
            <Icon name="undo" />
            {t("undo")}
          </button>
        )}
      </p>
      {refused.value !== undefined && <ProblemNote problem={refused.value} />}
      {ids.length > 0 && (
        <div class="tree-chosen">
          <span>{t(ids.length === 1 ? "chosenOne" : "chosenPages", ids.length)}</span>
          <Menu
            label={t("chosenActions")}
            icon="more"
            items={[
              { label: t("publish"), icon: "eye", run: () => void setStatus(ids, "published") },
              { label: t("makeDrafts"), icon: "draft", run: () => void setStatus(ids, "draft") },
              { label: t("archivePages"), icon: "archive", run: () => void setStatus(ids, "archived") },
              { label: t("addTags"), icon: "list", run: () => setAsked("tag") },
              { label: t("cutHere"), icon: "split", run: () => (cut.value = ids) },
              { label: t("deletePages"), icon: "trash", danger: true, run: () => setAsked("delete") },
            ]}
          />
          <button type="button" class="button plain icon-only" aria-label={t("chooseNone")} onClick={clear}>
            <Icon name="close" />
          </button>
        </div>
      )}
      {asked === "tag" && <Tags ids={ids} onClose={() => setAsked("")} />}
      {asked === "delete" && <Delete ids={ids} onClose={() => setAsked("")} />}
    </>
  );
}

function Tags({ ids, onClose }: { ids: string[]; onClose: () => void }) {
  const [tags, setTags] = useState("");
  const add = async () => {
    if (!(await tag(ids, tags.split(",").map((s) => s.trim()).filter(Boolean)))) throw refused.peek();
  };
  return (
    <FormDialog title={t("addTags")} does={t("addTags")} onSend={add} onClose={onClose}>
      <TextField label={t("tagsHint")} value={tags} onChange={setTags} required />
    </FormDialog>
  );
}

export function Delete({ ids, onClose }: { ids: string[]; onClose: () => void }) {
  const o = outline.value;
  const all = tops(o, ids).reduce((sum, i) => sum + o.end[i]! - i, 0);
  return <Confirm word="deletePages" text={t("deleteWhat", all)} onYes={() => (onClose(), void remove(ids))} onCancel={onClose} />;
}
