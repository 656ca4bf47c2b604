import { useState } from "preact/hooks";
import { may } from "../session.ts";
import { Dialog } from "../ui/dialog.tsx";
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
  const all = tags.split(",").map((s) => s.trim()).filter(Boolean);
  return (
    <Dialog title={t("addTags")} onClose={onClose}>
      <form
        onSubmit={(e) => {
          e.preventDefault();
          void tag(ids, all).then((done) => done && onClose());
        }}
      >
        <label for="bulk-tags">{t("tagsHint")}</label>
        {refused.value !== undefined && <ProblemNote problem={refused.value} />}
        <input id="bulk-tags" class="field" dir="auto" value={tags} onInput={(e) => setTags(e.currentTarget.value)} />
        <div class="dialog-foot">
          <button type="button" class="button" onClick={onClose}>
            {t("cancel")}
          </button>
          <button class="button primary" disabled={all.length === 0}>
            {t("addTags")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

export function Delete({ ids, onClose }: { ids: string[]; onClose: () => void }) {
  const o = outline.value;
  const all = tops(o, ids).reduce((sum, i) => sum + o.end[i]! - i, 0);
  return (
    <Dialog title={t("deletePages")} onClose={onClose}>
      <p>{t("deleteWhat", all)}</p>
      <div class="dialog-foot">
        <button type="button" class="button" onClick={onClose}>
          {t("cancel")}
        </button>
        <button
          type="button"
          class="button danger"
          onClick={() => {
            onClose();
            void remove(ids);
          }}
        >
          {t("deletePages")}
        </button>
      </div>
    </Dialog>
  );
}
