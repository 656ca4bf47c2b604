import { useState } from "preact/hooks";
import { Unreachable } from "../api/client.ts";
import { openDraft } from "../draft/browser.ts";
import { HistoryScreen } from "../history/screen.tsx";
import type { FullRevision } from "../history/source.ts";
import { t } from "../words.ts";
import { Confirm } from "./confirm.tsx";

/** What a page said before. A revision comes back as the draft of whoever asks for it. */
export function Past({ id }: { id: string }) {
  const [asks, setAsks] = useState<(yes: boolean) => void>();
  const restore = async (revision: FullRevision): Promise<boolean> => {
    const { draft, close } = await openDraft({ page: id });
    try {
      if (draft.dirty.value && !(await new Promise<boolean>((answer) => setAsks(() => answer)))) return false;
      draft.changed(() => ({ title: revision.title, content: revision.content, frontmatterRaw: revision.frontmatterRaw ?? "" }));
      await draft.flush();
      if (draft.state.value !== "saved") throw draft.problem.value ?? new Unreachable(draft.state.value);
      return true;
    } finally {
      setAsks(undefined);
      close();
    }
  };
  return (
    <>
      <HistoryScreen id={id} onRestoreDraft={restore} />
      {asks && <Confirm word="restore" text={t("restoreOverDraft")} onCancel={() => asks(false)} onYes={() => asks(true)} />}
    </>
  );
}
