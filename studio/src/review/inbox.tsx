import type { Person } from "../api/types.ts";
import { When } from "../history/when.tsx";
import { addressOf } from "../router.ts";
import { lookAtInbox } from "../shell/inbox.ts";
import { useTitle } from "../shell/title.ts";
import { send, useAct } from "../ui/act.ts";
import { useList } from "../ui/list.ts";
import { ProblemNote } from "../ui/problem.tsx";
import { Table } from "../ui/table.tsx";
import { say } from "./say.ts";

interface Notification {
  id: string;
  kind: "review-asked" | "comment" | "reply" | "mention" | "approved" | "conflict" | "merged";
  proposalId: string;
  title: string;
  actor: Person;
  createdAt: string;
  read: boolean;
}

/** What whoever is signed in was told of proposals. */
export function InboxScreen() {
  const list = useList<Notification>("/notifications");
  const act = useAct();
  useTitle(say("inbox"));
  const newest = list.rows?.[0];
  const readAll = () =>
    void act.run(() => send("PATCH", "/notifications", { readUntil: newest!.createdAt })).then(() => {
      list.again();
      lookAtInbox();
    });
  return (
    <div class="review">
      <h1>{say("inbox")}</h1>
      {newest && list.rows!.some((n) => !n.read) && (
        <p>
          <button type="button" class="button" disabled={act.busy} onClick={readAll}>
            {say("readAll")}
          </button>
        </p>
      )}
      {act.fault !== undefined && <ProblemNote problem={act.fault} />}
      <Table
        label={say("inbox")}
        none={say("noNotifications")}
        list={list}
        keyOf={(n) => n.id}
        columns={[
          { head: say("what"), cell: (n) => (n.read ? say(`told_${n.kind}`, n.actor.name) : <strong>{say(`told_${n.kind}`, n.actor.name)}</strong>) },
          { head: say("proposal"), cell: (n) => <a href={addressOf({ name: "proposal", id: n.proposalId })}>{n.title}</a> },
          { head: say("when"), cell: (n) => <When at={n.createdAt} now={Date.now()} /> },
        ]}
      />
    </div>
  );
}
