import { useEffect, useState } from "preact/hooks";
import { When } from "../history/when.tsx";
import { may } from "../session.ts";
import { CheckField, ChoiceField, FormDialog, RemoveDialog } from "../ui/form.tsx";
import { Icon } from "../ui/icon.tsx";
import { useList } from "../ui/list.ts";
import { Table } from "../ui/table.tsx";
import { t } from "../words.ts";
import { Intro } from "./intro.tsx";
import { say } from "./say.ts";
import { bytes } from "./size.ts";

interface Export {
  id: string;
  status: "queued" | "processing" | "ready" | "failed";
  downloadUrl: string | null;
  progress?: { done: number; total: number };
  format?: Format;
  size?: number;
  error?: { title: string; detail?: string };
  createdAt?: string;
  report?: { warnings: { message: string; slug?: string }[] };
}

type Format = "html" | "pdf" | "markdown";

const words = { queued: "exportQueued", processing: "exportRunning", ready: "exportReady", failed: "exportFailed" } as const;
const looks = { queued: "badge", processing: "badge warn", ready: "badge ok", failed: "badge danger" } as const;
const often = 2000; // milliseconds between looks at what is running

/** Exports: one file of many pages, made while somebody waits or not. */
export function Exports() {
  const list = useList<Export>("/exports");
  const [asked, setAsked] = useState<"create" | Export>();
  const close = () => (setAsked(undefined), list.again());
  const running = list.rows?.some((e) => e.status === "queued" || e.status === "processing") ?? false;
  useEffect(() => {
    if (!running) return;
    const timer = setTimeout(list.again, often);
    return () => clearTimeout(timer);
  }, [running, list.rows]);
  return (
    <>
      <Intro what={say("exportsWhat")}>
        <button type="button" class="button primary" onClick={() => setAsked("create")}>
          <Icon name="plus" />
          {say("newExport")}
        </button>
      </Intro>
      <Table
        label={say("exports")}
        none={say("noExports")}
        list={list}
        keyOf={(e) => e.id}
        name={(e) => e.format ?? e.id}
        menu={(e) => [{ label: t("remove"), icon: "trash", danger: true, run: () => setAsked(e) }]}
        columns={[
          { head: say("format"), cell: (e) => e.format ?? "" },
          { head: say("state"), cell: (e) => <State of={e} /> },
          { head: say("size"), cell: (e) => (e.size === undefined ? "" : bytes(e.size)) },
          { head: say("when"), cell: (e) => e.createdAt && <When at={e.createdAt} now={Date.now()} /> },
          {
            head: say("file"),
            cell: (e) =>
              e.downloadUrl && (
                <a class="button" href={e.downloadUrl} download>
                  {say("download")}
                </a>
              ),
          },
        ]}
      />
      {asked === "create" ? <Create onClose={close} /> : asked && <RemoveDialog name={asked.format ?? asked.id} what={say("removeExportWhat")} path={`/exports/${asked.id}`} onClose={close} />}
    </>
  );
}

function State({ of }: { of: Export }) {
  const warnings = of.report?.warnings ?? [];
  return (
    <>
      <span class={looks[of.status]}>{say(words[of.status])}</span>{" "}
      {of.status === "processing" && of.progress && (
        <progress max={of.progress.total || 1} value={of.progress.done} aria-label={say("progress")}>
          {say("progressOf", of.progress.done, of.progress.total)}
        </progress>
      )}
      {of.error && <span>{of.error.detail ?? of.error.title}</span>}
      {warnings.length > 0 && (
        <details>
          <summary>{say("warnings", warnings.length)}</summary>
          <ul>
            {warnings.map((w, i) => (
              <li key={i}>
                {w.slug && <code>{w.slug}</code>} {w.message}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function Create({ onClose }: { onClose: () => void }) {
  const [format, setFormat] = useState<Format>("pdf");
  const [drafts, setDrafts] = useState(false);
  const body = {
    format,
    scope: drafts ? "site" : "published",
    includeDrafts: drafts,
    selection: { mode: "all", items: [] },
    rendering: { theme: "system", assets: { embed: true, metadata: {} } },
    delivery: { channels: [] },
  };
  return (
    <FormDialog title={say("newExport")} does={say("start")} onSend={(post) => post("/exports", body)} onClose={onClose}>
      <ChoiceField
        label={say("format")}
        value={format}
        onChange={setFormat}
        choices={[
          { value: "pdf", label: say("formatPdf") },
          { value: "html", label: say("formatHtml") },
          { value: "markdown", label: say("formatMarkdown") },
        ]}
      />
      {may("pages:write") && <CheckField label={say("withDrafts")} value={drafts} onChange={setDrafts} />}
    </FormDialog>
  );
}
