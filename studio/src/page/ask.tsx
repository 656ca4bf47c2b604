import { useEffect, useState } from "preact/hooks";
import type { Person } from "../api/types.ts";
import { client, session } from "../session.ts";
import { Dialog } from "../ui/dialog.tsx";
import { t } from "../words.ts";

interface Props {
  needed: boolean; // the site publishes nothing without a review
  onSend: (reviewers: string[], message: string) => void;
  onCancel: () => void;
}

/** Asks who should review, and what has changed. */
export function AskForReview({ needed, onSend, onCancel }: Props) {
  const [people, setPeople] = useState<Person[]>([]);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [message, setMessage] = useState("");
  useEffect(() => {
    let gone = false;
    // Whoever reads published pages only is told of no people: nobody can be named then.
    client.all<Person>("/people?limit=100").then(
      (all) => gone || setPeople(all.filter((p) => p.id !== session.value?.person && (p.role === "editor" || p.role === "admin"))),
      () => undefined,
    );
    return () => void (gone = true);
  }, []);
  const toggle = (id: string) => {
    const now = new Set(chosen);
    if (!now.delete(id)) now.add(id);
    setChosen(now);
  };
  return (
    <Dialog title={t("askForReview")} onClose={onCancel}>
      <form
        onSubmit={(e) => {
          e.preventDefault();
          onSend([...chosen], message);
        }}
      >
        {needed && <p class="notice">{t("approvalNeeded")}</p>}
        <label for="ask-message">{t("message")}</label>
        <textarea id="ask-message" class="field" value={message} onInput={(e) => setMessage(e.currentTarget.value)} />
        {people.length > 0 && (
          <fieldset class="ask-people">
            <legend>{t("reviewers")}</legend>
            <p class="hint">{t("reviewersHint")}</p>
            {people.map((p) => (
              <label key={p.id}>
                <input type="checkbox" checked={chosen.has(p.id)} onChange={() => toggle(p.id)} />
                <bdi>{p.name}</bdi>
              </label>
            ))}
          </fieldset>
        )}
        <div class="dialog-foot">
          <button type="button" class="button" onClick={onCancel}>
            {t("cancel")}
          </button>
          <button class="button primary">{t("send")}</button>
        </div>
      </form>
    </Dialog>
  );
}
