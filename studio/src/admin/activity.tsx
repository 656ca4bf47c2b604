import { When } from "../history/when.tsx";
import { addressOf } from "../router.ts";
import { byId } from "../shell/pages.ts";
import { useList } from "../ui/list.ts";
import { Table } from "../ui/table.tsx";
import { Intro } from "./intro.tsx";
import { say } from "./say.ts";

interface Happened {
  id: string;
  type: string;
  createdAt: string;
  actor?: { name: string };
  pageId?: string;
  proposalId?: string;
}

/** What happened, by whom, newest first. */
export function Activity() {
  const list = useList<Happened>("/activity");
  return (
    <>
      <Intro what={say("activityWhat")}>
        <button type="button" class="button" onClick={list.again}>
          {say("refresh")}
        </button>
      </Intro>
      <Table
        label={say("activity")}
        none={say("noActivity")}
        list={list}
        keyOf={(h) => h.id}
        columns={[
          { head: say("when"), cell: (h) => <When at={h.createdAt} now={Date.now()} /> },
          { head: say("who"), cell: (h) => <bdi>{h.actor?.name}</bdi> },
          { head: say("event"), cell: (h) => <code>{h.type}</code> },
          { head: say("subject"), cell: subject },
        ]}
      />
    </>
  );
}

function subject({ pageId, proposalId }: Happened) {
  const page = pageId && byId.value.get(pageId);
  if (page) return <a href={addressOf({ name: "page", id: page.id })}>{page.title}</a>;
  if (proposalId) return <a href={addressOf({ name: "proposal", id: proposalId })}>{say("proposal")}</a>;
  return pageId && <code>{pageId}</code>;
}
