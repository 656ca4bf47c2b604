import { When } from "../history/when.tsx";
import { addressOf } from "../router.ts";
import { byId } from "../shell/pages.ts";
import { send, useAct } from "../ui/act.ts";
import { useList } from "../ui/list.ts";
import { ProblemNote } from "../ui/problem.tsx";
import { Table } from "../ui/table.tsx";
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
  const act = useAct();
  const remove = (v: Voice) => void act.run(() => send("DELETE", `/feedback/${v.id}`)).then(list.again);
  return (
    <>
      <Intro what={say("feedbackWhat")} />
      {act.fault !== undefined && <ProblemNote problem={act.fault} />}
      <Table
        label={say("feedback")}
        none={say("noFeedback")}
        list={list}
        keyOf={(v) => v.id}
        name={(v) => v.slug}
        menu={(v) => [{ label: say("remove"), icon: "trash", danger: true, run: () => remove(v) }]}
        columns={[
          { head: say("page"), cell: (v) => <a href={addressOf({ name: "page", id: v.pageId })}>{byId.value.get(v.pageId)?.title ?? v.slug}</a> },
          { head: say("helpful"), cell: (v) => <span class={`badge ${v.helpful ? "ok" : "warn"}`}>{say(v.helpful ? "yes" : "no")}</span> },
          { head: say("said"), cell: (v) => <span dir="auto" class="admin-text">{v.text}</span> },
          { head: say("when"), cell: (v) => <When at={v.createdAt} now={Date.now()} /> },
        ]}
      />
    </>
  );
}
