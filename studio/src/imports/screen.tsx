import { signal } from "@preact/signals";
import { useEffect, useId, useState } from "preact/hooks";
import { upload } from "../api/upload.ts";
import { When } from "../history/when.tsx";
import { ParentPicker } from "../matter/parent.tsx";
import { addressOf, go } from "../router.ts";
import { client, may } from "../session.ts";
import { pages } from "../shell/pages.ts";
import { useTitle } from "../shell/title.ts";
import { RemoveDialog } from "../ui/form.tsx";
import { Icon } from "../ui/icon.tsx";
import { Keys } from "../ui/key.ts";
import { ProblemNote } from "../ui/problem.tsx";
import { t } from "../words.ts";
import { ended, type Job, type Options, systems } from "./job.ts";
import { JobScreen, stateOf } from "./progress.tsx";
import { say } from "./say.ts";

/** The file that was chosen last. */
const chosen = signal<File | undefined>(undefined);

/** What each job was made of, so that a dry run is followed by the import of the same file. */
const files = new Map<string, File>();

const keys = new Keys();

/** Sends a file and shows what becomes of it. */
async function send(file: File, options: Options, progress: (share: number) => void, end: AbortSignal): Promise<void> {
  const job = await keys.use([file.name, file.size, file.lastModified, options], (key) => upload<Job>(file, { signal: end, progress, key, path: "/imports", options }));
  files.set(job.id, file);
  go({ name: "imports", id: job.id });
}

export function ImportScreen({ id }: { id: string }) {
  useTitle(t("importFiles"));
  if (!may("pages:write"))
    return (
      <div class="page-width">
        <h1 tabIndex={-1}>{t("importFiles")}</h1>
        <p>{say("notAllowed")}</p>
      </div>
    );
  const file = files.get(id);
  if (id) return <JobScreen key={id} id={id} {...(file && { onReal: (o: Options) => begin(file, o) })} />;
  return (
    <div class="page-width">
      <h1 tabIndex={-1}>{t("importFiles")}</h1>
      <p>{say("what")}</p>
      <Form />
      <Earlier />
    </div>
  );
}

const begin = (file: File, o: Options) => send(file, { ...o, dryRun: false }, () => {}, new AbortController().signal);

function Form() {
  const own = useId();
  const file = chosen.value;
  const [over, setOver] = useState(false);
  const [wrong, setWrong] = useState("");
  const [parent, setParent] = useState<string | null>(null);
  const [status, setStatus] = useState<Options["status"]>("draft");
  const [as, setAs] = useState<Options["as"]>("pages");
  const [from, setFrom] = useState("auto");
  const [set, setSet] = useState("");
  const [gone, setGone] = useState<Options["gone"]>("keep");
  const [overwrite, setOverwrite] = useState(false);
  const [dryRun, setDryRun] = useState(true);
  const [share, setShare] = useState<number>(); // undefined while nothing is sent
  const [fault, setFault] = useState<unknown>();
  const [end] = useState(() => new AbortController());
  useEffect(() => () => end.abort(), []);
  const take = (next: File | undefined) => {
    const fits = !next || /\.zip$/i.test(next.name);
    setWrong(fits ? "" : say("noZip"));
    chosen.value = fits ? next : undefined;
  };
  const submit = (e: Event) => {
    e.preventDefault();
    if (!file) return setWrong(say("noZip"));
    setFault(undefined);
    setShare(0);
    const options = { from, status, as, gone, overwrite, dryRun, ...(set && { set }), ...(parent && { parentId: parent }) };
    send(file, options, setShare, end.signal).catch((e: unknown) => end.signal.aborted || (setFault(e), setShare(undefined)));
  };
  const busy = share !== undefined;
  return (
    <form class="import-form" onSubmit={submit}>
      <div
        class={over ? "import-drop over" : "import-drop"}
        onDragOver={(e) => (e.preventDefault(), setOver(true))}
        onDragLeave={() => setOver(false)}
        onDrop={(e) => (e.preventDefault(), setOver(false), busy || take(e.dataTransfer?.files[0]))}
      >
        <label for={`${own}-file`}>{say("file")}</label>
        <input id={`${own}-file`} type="file" accept=".zip,application/zip" disabled={busy} aria-describedby={`${own}-file-hint`} aria-invalid={wrong !== ""} onChange={(e) => take(e.currentTarget.files?.[0])} />
        <p class={wrong ? "error" : "hint"} id={`${own}-file-hint`} aria-live="polite">
          {wrong || (file ? <bdi>{file.name}</bdi> : say("drop"))}
        </p>
      </div>
      <ParentPicker id={null} value={parent} tree={pages.value} disabled={busy} fault="" hint={say("where")} onChange={setParent} />
      <div>
        <label for={`${own}-status`}>{say("status")}</label>
        <select id={`${own}-status`} class="field" disabled={busy} value={status} onChange={(e) => setStatus(e.currentTarget.value as Options["status"])}>
          <option value="draft">{say("statusDraft")}</option>
          <option value="published">{say("statusPublished")}</option>
        </select>
      </div>
      <fieldset disabled={busy}>
        <legend>{say("as")}</legend>
        {(["pages", "proposal"] as const).map((value) => (
          <label key={value}>
            <input type="radio" name={`${own}-as`} checked={as === value} onChange={() => setAs(value)} />
            {say(value === "pages" ? "asPages" : "asProposal")}
          </label>
        ))}
      </fieldset>
      <details>
        <summary>{say("options")}</summary>
        <div>
          <label for={`${own}-from`}>{say("from")}</label>
          <select id={`${own}-from`} class="field" disabled={busy} value={from} onChange={(e) => setFrom(e.currentTarget.value)}>
            <option value="auto">{say("fromAuto")}</option>
            <option value="files">{say("fromFiles")}</option>
            {Object.entries(systems).map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        </div>
        <div>
          <label for={`${own}-set`}>{say("setName")}</label>
          <input id={`${own}-set`} class="field" disabled={busy} value={set} aria-describedby={`${own}-set-hint`} onInput={(e) => setSet(e.currentTarget.value)} />
          <p class="hint" id={`${own}-set-hint`}>
            {say("setHint")}
          </p>
        </div>
        <div>
          <label for={`${own}-gone`}>{say("gone")}</label>
          <select id={`${own}-gone`} class="field" disabled={busy} value={gone} onChange={(e) => setGone(e.currentTarget.value as Options["gone"])}>
            <option value="keep">{say("goneKeep")}</option>
            <option value="draft">{say("goneDraft")}</option>
            <option value="delete">{say("goneDelete")}</option>
          </select>
        </div>
        <label>
          <input type="checkbox" checked={overwrite} disabled={busy} onChange={(e) => setOverwrite(e.currentTarget.checked)} />
          {say("overwrite")}
        </label>
      </details>
      <label>
        <input type="checkbox" checked={dryRun} disabled={busy} onChange={(e) => setDryRun(e.currentTarget.checked)} />
        {say("dryRun")}
      </label>
      {fault !== undefined && <ProblemNote problem={fault} />}
      <p class="row">
        <button class="button primary" disabled={busy}>
          <Icon name="upload" />
          {say(dryRun ? "startDry" : "start")}
        </button>
        <span role="status">{busy && say("uploading", Math.round(100 * share))}</span>
      </p>
    </form>
  );
}

function Earlier() {
  const [list, setList] = useState<Job[]>();
  const [fault, setFault] = useState<unknown>();
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    const end = new AbortController();
    client.call<{ data: Job[] }>("/imports?limit=50", { signal: end.signal }).then(
      (a) => setList(a.data.data),
      (e: unknown) => end.signal.aborted || setFault(e),
    );
    return () => end.abort();
  }, [asked]);
  const again = () => (setFault(undefined), setAsked((n) => n + 1));
  const [removed, setRemoved] = useState<Job>();
  const now = Date.now();
  return (
    <section class="import-earlier">
      <h2>{say("earlier")}</h2>
      {fault !== undefined && <ProblemNote problem={fault} retry={again} />}
      {!list && fault === undefined && <p class="loading">{t("loading")}</p>}
      {list?.length === 0 && <p class="muted">{say("none")}</p>}
      <ul>
        {list?.map((job) => (
          <li key={job.id}>
            <a href={addressOf({ name: "imports", id: job.id })}>
              <bdi>{job.name}</bdi>
            </a>
            <span class="muted small">
              {stateOf(job)}, <When at={job.createdAt} now={now} />
            </span>
            {ended(job) && (
              <button type="button" class="button plain icon-only" aria-label={say("remove", job.name)} onClick={() => setRemoved(job)}>
                <Icon name="trash" />
              </button>
            )}
          </li>
        ))}
      </ul>
      {removed && <RemoveDialog name={say("ofFile", removed.name)} what={say("removeWhat")} path={`/imports/${removed.id}`} onClose={() => (setRemoved(undefined), again())} />}
    </section>
  );
}
