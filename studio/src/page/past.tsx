import type { Revision } from "../api/types.ts";
import { openDraft } from "../draft/browser.ts";
import { HistoryScreen } from "../history/screen.tsx";
import { client } from "../session.ts";

/** What a page said before. A revision comes back as the draft of whoever asks for it. */
export function Past({ id }: { id: string }) {
  const restore = async ({ number }: { number: number }) => {
    const { data } = await client.call<Revision & { frontmatterRaw?: string }>(`/pages/${id}/revisions/${number}?include=frontmatterRaw`);
    const opened = await openDraft({ page: id });
    try {
      opened.draft.changed(() => ({ title: data.title, content: data.content ?? "", frontmatterRaw: data.frontmatterRaw ?? "" }));
      await opened.draft.flush();
    } finally {
      opened.close();
    }
  };
  return <HistoryScreen id={id} onRestoreDraft={restore} />;
}
