import type { Draft, State } from "../draft/draft.ts";
import { place } from "../session.ts";
import { language, t, type Word } from "../words.ts";

const words: Record<State, Word> = {
  saved: "saved",
  saving: "saving",
  device: "onlyHere",
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

/** What a person has to know or to do about it, in words beside the text. */
export function SavingNote({ draft, onResolve }: { draft: Draft; onResolve: () => void }) {
  switch (draft.state.value) {
    case "signedOut":
      return (
        <div class="notice warn">
          {t("signInAgain")}{" "}
          <a href={`${place.root}/login?next=${encodeURIComponent(`${place.root}/studio`)}`} target="_blank" rel="opener">
            {t("signIn")}
          </a>
        </div>
      );
    case "conflict":
      return (
        <div class="notice warn">
          <p>{t("conflictExplained")}</p>
          <button class="button" onClick={onResolve}>
            {t("resolve")}
          </button>
        </div>
      );
    default:
      return null;
  }
}
