import { When } from "../history/when.tsx";
import { useAct } from "../ui/act.ts";
import { Dialog } from "../ui/dialog.tsx";
import { useList } from "../ui/list.ts";
import { ProblemNote } from "../ui/problem.tsx";
import { Table } from "../ui/table.tsx";
import { say } from "./say.ts";
import type { Webhook } from "./webhooks.tsx";

interface Delivery {
  id: string;
  eventId: string;
  type: string;
  attempt: number;
  status: "pending" | "succeeded" | "failed" | "abandoned";
  requestExcerpt?: string;
  responseStatus?: number;
  responseExcerpt?: string;
  error?: string;
  createdAt: string;
  nextAttemptAt?: string;
}

const looks = { pending: "badge", succeeded: "badge ok", failed: "badge warn", abandoned: "badge danger" } as const;
const words = { pending: "deliveryPending", succeeded: "deliverySucceeded", failed: "deliveryFailed", abandoned: "deliveryAbandoned" } as const;

/** What was sent to a webhook, what it answered, and sending it again. */
export function Deliveries({ of, onClose }: { of: Webhook; onClose: () => void }) {
  const list = useList<Delivery>(`/webhooks/${of.id}/deliveries`);
  const act = useAct();
  const again = (d: Delivery) => void act.run((post) => post(`/webhooks/${of.id}/deliveries/${d.id}/redeliver`)).then(list.again);
  return (
    <Dialog title={say("deliveriesOf", of.url)} class="admin-wide" onClose={onClose}>
      <p class="row">
        <button type="button" class="button" onClick={list.again}>
          {say("refresh")}
        </button>
      </p>
      {act.fault !== undefined && <ProblemNote problem={act.fault} />}
      <Table
        label={say("deliveries")}
        none={say("noDeliveries")}
        list={list}
        keyOf={(d) => d.id}
        columns={[
          { head: say("when"), cell: (d) => <When at={d.createdAt} now={Date.now()} /> },
          { head: say("event"), cell: (d) => <code>{d.type}</code> },
          { head: say("state"), cell: (d) => <span class={looks[d.status]}>{say(words[d.status])}</span> },
          { head: say("attempt"), cell: (d) => d.attempt },
          { head: say("answer"), cell: (d) => <Answer of={d} /> },
          {
            head: say("again"),
            cell: (d) => (
              <button type="button" class="button" disabled={act.busy || d.status === "pending"} onClick={() => again(d)} aria-label={say("sendAgainOf", d.type, d.id)}>
                {say("sendAgain")}
              </button>
            ),
          },
        ]}
      />
    </Dialog>
  );
}

function Answer({ of }: { of: Delivery }) {
  const short = of.error ?? (of.responseStatus ? String(of.responseStatus) : "–");
  if (!of.requestExcerpt && !of.responseExcerpt) return <>{short}</>;
  return (
    <details>
      <summary>{short}</summary>
      {of.requestExcerpt && <pre class="admin-excerpt">{of.requestExcerpt}</pre>}
      {of.responseExcerpt && <pre class="admin-excerpt">{of.responseExcerpt}</pre>}
    </details>
  );
}
