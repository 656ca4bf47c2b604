import { useState } from "preact/hooks";
import type { Proposal } from "../api/types.ts";
import { When } from "../history/when.tsx";
import { addressOf } from "../router.ts";
import { may, session } from "../session.ts";
import { useTitle } from "../shell/title.ts";
import { useList } from "../ui/list.ts";
import { Table } from "../ui/table.tsx";
import { say } from "./say.ts";
import { Origin } from "./screen.tsx";

const lists = ["toReview", "open", "mine", "merged", "closed"] as const;
type List = (typeof lists)[number];

const query = (list: List, me: string): Record<string, string> =>
  ({ toReview: { status: "open", reviewer: me }, open: { status: "open" }, mine: { author: me }, merged: { status: "merged" }, closed: { status: "closed" } })[list];

/** The proposals, by what whoever looks has to do with them. */
export function ProposalsScreen() {
  const [shown, setShown] = useState<List>(may("pages:write") ? "open" : "mine");
  const me = session.value?.person ?? "";
  const list = useList<Proposal>(`/proposals?${new URLSearchParams(query(shown, me))}`);
  useTitle(say("proposals"));
  return (
    <div class="review">
      <h1>{say("proposals")}</h1>
      <fieldset class="row history-view">
        <legend class="visually-hidden">{say("which")}</legend>
        {lists.map((l) => (
          <label key={l}>
            <input type="radio" name="proposals" checked={shown === l} onChange={() => setShown(l)} />
            {say(`list_${l}`)}
          </label>
        ))}
      </fieldset>
      <Table
        label={say("proposals")}
        none={say("noProposals")}
        list={list}
        keyOf={(p) => p.id}
        columns={[
          {
            head: say("proposal"),
            cell: (p) => (
              <>
                <a href={addressOf({ name: "proposal", id: p.id })}>{p.title}</a> <Origin of={p.origin} />
              </>
            ),
          },
          { head: say("by"), cell: (p) => <bdi>{p.author.name}</bdi> },
          { head: say("pages"), cell: (p) => p.changes.length },
          { head: say("changed"), cell: (p) => <When at={p.updatedAt} now={Date.now()} /> },
        ]}
      />
    </div>
  );
}
