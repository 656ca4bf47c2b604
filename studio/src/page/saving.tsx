import type { Draft } from "../draft/draft.ts";
import type { State } from "../draft/saver.ts";
import { language, t, type Word } from "../words.ts";

const words: { [state in State]: Word } = {
  saved: "saved",
  saving: "saving",
  device: "onlyHere",
  tab: "onlyHere",
  signedOut: "signedOut",
  conflict: "conflict",
};

/** The state of saving in words. Screen readers are told when it changes. */
export function Saving({ draft }: { draft: Draft }) {
  const state = draft.state.value;
  const at = draft.savedAt.value;
  return (
    <span class={`saving ${state}`} role="status" title={at ? at.toLocaleTimeString(language) : ""}>
      {t(words[state])}
    </span>
  );
}

/** What a person has to do about it, in words beside the text. */
export function SavingNote({ draft, onResolve }: { draft: Draft; onResolve: () => void }) {
  const state = draft.state.value;
  if (state === "tab") return <div class="notice danger">{t("onlyTab")}</div>;
  if (state !== "conflict") return null;
  return (
    <div class="notice warn">
      <p>{t("conflictExplained")}</p>
      <button class="button" onClick={onResolve}>
        {t("resolve")}
      </button>
    </div>
  );
}
