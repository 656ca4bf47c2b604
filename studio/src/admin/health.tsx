import { useEffect, useState } from "preact/hooks";
import { client } from "../session.ts";
import { ProblemNote } from "../ui/problem.tsx";
import { t } from "../words.ts";
import { Intro } from "./intro.tsx";
import { say } from "./say.ts";

interface LogPlace {
  name?: string;
  position: number;
  lag: number;
}

interface Status {
  version: string;
  schema: number;
  position: number;
  index?: LogPlace;
  backlogs: { deliveries: { pending: number; dueAt?: string }; exports: { queued: number; processing: number }; followers: LogPlace[] };
}

/** The state of the server: what runs, and what waits. */
export function Health() {
  const [turn, setTurn] = useState(0);
  const [status, setStatus] = useState<Status>();
  const [fault, setFault] = useState<unknown>();
  useEffect(() => {
    const end = new AbortController();
    setFault(undefined);
    client.call<Status>("/status", { signal: end.signal }).then(
      (a) => setStatus(a.data),
      (e: unknown) => end.signal.aborted || setFault(e),
    );
    return () => end.abort();
  }, [turn]);
  return (
    <>
      <Intro what={say("healthWhat")}>
        <button type="button" class="button" onClick={() => setTurn(turn + 1)}>
          {say("refresh")}
        </button>
      </Intro>
      {fault !== undefined ? <ProblemNote problem={fault} retry={() => setTurn(turn + 1)} /> : status ? <Facts of={status} /> : <p class="muted">{t("loading")}</p>}
    </>
  );
}

function Facts({ of: { version, schema, position, index, backlogs } }: { of: Status }) {
  const behind = (lag: number) => (lag === 0 ? <span class="badge ok">{say("upToDate")}</span> : <span class="badge warn">{say("behind", lag)}</span>);
  return (
    <dl class="admin-facts">
      <dt>{say("version")}</dt>
      <dd>{version}</dd>
      <dt>{say("schema")}</dt>
      <dd>{schema}</dd>
      <dt>{say("changes")}</dt>
      <dd>{position}</dd>
      {index && (
        <>
          <dt>{say("searchIndex")}</dt>
          <dd>{behind(index.lag)}</dd>
        </>
      )}
      {backlogs.followers.map((f) => (
        <div key={f.name}>
          <dt>{say("follower", f.name ?? "")}</dt>
          <dd>{behind(f.lag)}</dd>
        </div>
      ))}
      <dt>{say("deliveriesWaiting")}</dt>
      <dd>{backlogs.deliveries.pending}</dd>
      <dt>{say("exportsWaiting")}</dt>
      <dd>{backlogs.exports.queued + backlogs.exports.processing}</dd>
    </dl>
  );
}
