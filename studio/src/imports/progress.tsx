import { useEffect, useRef, useState } from "preact/hooks";
import { Problem } from "../api/client.ts";
import type { Pagination } from "../api/types.ts";
import { addressOf } from "../router.ts";
import { client } from "../session.ts";
import { loadPages } from "../shell/pages.ts";
import { ProblemNote } from "../ui/problem.tsx";
import { t } from "../words.ts";
import { ended, grouped, type Job, type Line, type Options } from "./job.ts";
import { say } from "./say.ts";

const pause = 1000; // milliseconds between two looks at a job

/** Where a job stands, in words. */
export function stateOf(job: Job): string {
  if (job.status === "running") return job.progress.total ? say("running", job.progress.done, job.progress.total) : say("reading");
  return say(job.status === "ready" && job.options.dryRun ? "dryReady" : job.status);
}

/** A job from its beginning to its report. onReal follows a dry run by the import. */
export function JobScreen({ id, onReal }: { id: string; onReal?: (o: Options) => Promise<void> }) {
  const [job, setJob] = useState<Job>();
  const [fault, setFault] = useState<unknown>();
  const [asked, setAsked] = useState(0);
  const [stopping, setStopping] = useState(false);
  const [sending, setSending] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const end = new AbortController();
    const look = async (): Promise<void> => {
      for (;;) {
        const { data } = await client.call<Job>(`/imports/${id}`, { signal: end.signal });
        setJob(data);
        if (ended(data)) {
          if (document.activeElement?.matches(".import-cancel")) heading.current?.focus(); // the button goes
          return loadPages();
        }
        await new Promise((done) => setTimeout(done, pause));
        if (end.signal.aborted) return;
      }
    };
    look().catch((e: unknown) => end.signal.aborted || setFault(e));
    return () => end.abort();
  }, [id, asked]);
  const again = () => (setFault(undefined), setAsked((n) => n + 1));
  const stop = () => stopping || (setStopping(true), client.call(`/imports/${id}`, { method: "DELETE" }).then(again, (e: unknown) => (setStopping(false), setFault(e))));
  const real = () => (setSending(true), onReal!(job!.options).catch((e: unknown) => (setSending(false), setFault(e))));
  const gone = fault instanceof Problem && fault.status === 404;
  return (
    <div class="page-width">
      <h1 tabIndex={-1} ref={heading}>{job ? say("ofFile", job.name) : t("importFiles")}</h1>
      <p>
        <a href={addressOf({ name: "imports", id: "" })}>{say("all")}</a>
      </p>
      {gone ? <p>{say("lost")}</p> : fault !== undefined && <ProblemNote problem={fault} retry={again} />}
      {!job && fault === undefined && <p class="loading">{t("loading")}</p>}
      {job && (
        <>
          <p class={`notice ${job.status === "ready" ? "ok" : job.status === "failed" ? "danger" : ""}`} role="status">
            {stopping && !ended(job) ? say("cancelling") : stateOf(job)}
          </p>
          {!ended(job) && (
            <>
              <progress class="import-progress" aria-label={stateOf(job)} max={job.progress.total || 1} value={job.progress.done} />
              <p>
                <button type="button" class="button import-cancel" aria-disabled={stopping} onClick={() => void stop()}>
                  {say("cancel")}
                </button>
              </p>
            </>
          )}
          {job.error && <ProblemNote problem={new Problem(job.error)} />}
          {job.report && <Report id={id} report={job.report} />}
          {ended(job) && (
            <p class="row">
              {job.status === "ready" && job.options.dryRun && onReal && (
                <button type="button" class="button primary" disabled={sending} onClick={() => void real()}>
                  {say("startReal")}
                </button>
              )}
              <a class="button" href={addressOf({ name: "imports", id: "" })}>
                {say("again")}
              </a>
            </p>
          )}
        </>
      )}
    </div>
  );
}

const atOnce = 10; // requests of 100 lines

function Report({ id, report }: { id: string; report: NonNullable<Job["report"]> }) {
  const [lines, setLines] = useState<Line[]>([]);
  const [cursor, setCursor] = useState<string>();
  const [fault, setFault] = useState<unknown>();
  const end = useRef(new AbortController());
  const read = async (from: string): Promise<void> => {
    setFault(undefined);
    for (let n = 0; n < atOnce; n++) {
      const more = from ? `&cursor=${encodeURIComponent(from)}` : "";
      const { data } = await client.call<{ data: Line[]; pagination: Pagination }>(`/imports/${id}/report?limit=100${more}`, { signal: end.current.signal });
      setLines((had) => [...had, ...data.data]);
      from = data.pagination.cursor ?? "";
      setCursor(from);
      if (!from) return;
    }
  };
  const go = (from: string) => void read(from).catch((e: unknown) => end.current.signal.aborted || setFault(e));
  useEffect(() => (go(""), () => end.current.abort()), []);
  return (
    <section class="import-report">
      <h2>{say("report")}</h2>
      <p>{say("set", report.set || "–", report.from, Math.round(100 * report.share))}</p>
      {report.proposalId && (
        <p>
          <a class="button" href={addressOf({ name: "proposal", id: report.proposalId })}>
            {say("proposal")}
          </a>
        </p>
      )}
      {grouped(lines).map(([kind, list]) => (
        <details key={kind} open={kind === "kept" || kind === "skipped" || (kind === "created" && list.length <= 20)}>
          <summary>{say(kind, report.sums[kind])}</summary>
          <ul>
            {list.map((l, i) => (
              <li key={i}>
                {l.id?.startsWith("page_") && kind !== "deleted" ? <a href={addressOf({ name: "page", id: l.id })}>{l.path}</a> : <bdi>{l.path}</bdi>}
                {l.notes.map((n, i) => (
                  <span key={i} class="small muted">
                    {n.line > 1 && `${say("line", n.line)}: `}
                    <bdi>{n.message}</bdi>
                    {n.here !== undefined && <pre aria-label={say("here")}>{n.here}</pre>}
                    {n.file !== undefined && <pre aria-label={say("inFile")}>{n.file}</pre>}
                  </span>
                ))}
              </li>
            ))}
          </ul>
        </details>
      ))}
      {fault !== undefined && <ProblemNote problem={fault} retry={() => go(cursor ?? "")} />}
      {cursor && (
        <button type="button" class="button" onClick={() => go(cursor)}>
          {say("more")}
        </button>
      )}
    </section>
  );
}
