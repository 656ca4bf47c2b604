import { useState } from "preact/hooks";
import { When } from "../history/when.tsx";
import { addressOf } from "../router.ts";
import { byId } from "../shell/pages.ts";
import { RemoveDialog } from "../ui/form.tsx";
import { useList } from "../ui/list.ts";
import { Table } from "../ui/table.tsx";
import { t } from "../words.ts";
import { Intro } from "./intro.tsx";
import { say } from "./say.ts";

interface Voice {
  id: string;
  pageId: string;
  slug: string;
  revision: number;
  helpful: boolean;
  text: string;
  createdAt: string;
}

/** What readers say of pages. */
export function Feedback() {
  const list = useList<Voice>("/feedback");
  const [removed, setRemoved] = useState<Voice>();
  const titleOf = (v: Voice) => byId.value.get(v.pageId)?.title ?? v.slug;
  return (
    <>
      <Intro what={say("feedbackWhat")} />
      <Table
        label={say("feedback")}
        none={say("noFeedback")}
        list={list}
        keyOf={(v) => v.id}
        name={(v) => v.slug}
        menu={(v) => [{ label: t("remove"), icon: "trash", danger: true, run: () => setRemoved(v) }]}
        columns={[
          { head: say("page"), cell: (v) => <a href={addressOf({ name: "page", id: v.pageId })}>{titleOf(v)}</a> },
          { head: say("helpful"), cell: (v) => <span class={`badge ${v.helpful ? "ok" : "warn"}`}>{say(v.helpful ? "yes" : "no")}</span> },
          { head: say("said"), cell: (v) => <span dir="auto" class="admin-text">{v.text}</span> },
          { head: say("when"), cell: (v) => <When at={v.createdAt} now={Date.now()} /> },
        ]}
      />
      {removed && <RemoveDialog name={say("feedbackOn", titleOf(removed))} what={removed.text || say("removeFeedbackWhat")} path={`/feedback/${removed.id}`} onClose={() => (setRemoved(undefined), list.again())} />}
    </>
  );
}
