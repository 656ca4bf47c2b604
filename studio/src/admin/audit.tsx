import { useState } from "preact/hooks";
import { When } from "../history/when.tsx";
import { TextField } from "../ui/form.tsx";
import { useList } from "../ui/list.ts";
import { Table } from "../ui/table.tsx";
import { Intro } from "./intro.tsx";
import { say } from "./say.ts";

interface Entry {
  id: string;
  createdAt: string;
  actor: { id: string; name: string };
  action: string;
  subject?: string;
  address?: string;
  detail?: Record<string, unknown>;
}

/** The audit log: who did what that matters to security. */
export function Audit() {
  const [action, setAction] = useState("");
  const [asked, setAsked] = useState("");
  const list = useList<Entry>(asked ? `/audit?action=${encodeURIComponent(asked)}` : "/audit");
  return (
    <>
      <Intro what={say("auditWhat")} />
      <form
        class="admin-filter"
        onSubmit={(e) => {
          e.preventDefault();
          setAsked(action.trim());
        }}
      >
        <TextField label={say("action")} hint={say("actionHint")} value={action} onChange={setAction} max={100} />
        <button class="button">{say("filter")}</button>
      </form>
      <Table
        label={say("audit")}
        none={say("noAudit")}
        list={list}
        keyOf={(e) => e.id}
        columns={[
          { head: say("when"), cell: (e) => <When at={e.createdAt} now={Date.now()} /> },
          { head: say("who"), cell: (e) => <bdi title={e.actor.id}>{e.actor.name || e.actor.id}</bdi> },
          { head: say("action"), cell: (e) => <code>{e.action}</code> },
          { head: say("subject"), cell: (e) => <bdi class="admin-line">{e.subject}</bdi> },
          { head: say("address"), cell: (e) => e.address },
          {
            head: say("detail"),
            cell: (e) =>
              e.detail && (
                <details>
                  <summary>{say("show")}</summary>
                  <pre class="admin-excerpt">{JSON.stringify(e.detail, null, 2)}</pre>
                </details>
              ),
          },
        ]}
      />
    </>
  );
}
