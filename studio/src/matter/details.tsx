import { useId, useState } from "preact/hooks";
import type { Problem } from "../api/client.ts";
import { type Dialect, dialects, type Status, type TreePage } from "../api/types.ts";
import { t, type Word } from "../words.ts";
import { DeletePage } from "./delete.tsx";
import { fromField, saidOf, slugFault, toField } from "./facts.ts";
import { ParentPicker } from "./parent.tsx";

/** What the form changes of a page. */
export interface Facts {
  slug: string;
  status: Status;
  parentId: string | null;
  publishAt: string | null;
  unpublishAt: string | null;
  dialect: Dialect | null;
}

interface Props {
  id: string | null; // null for a page that is not stored yet
  work: Facts;
  liveSlug?: string; // the slug by which readers know the page
  tree: TreePage[];
  problem?: Problem | null;
  canWrite: boolean; // the scope pages:write, which deleting needs
  now: number;
  onChange: (part: Partial<Facts>) => void;
  onDelete: (children?: "cascade" | "reparent") => void;
}

const statusWords: Record<Status, [Word, Word]> = {
  draft: ["matterDraft", "matterDraftLong"],
  published: ["matterPublished", "matterPublishedLong"],
  archived: ["matterArchived", "matterArchivedLong"],
};

const dialectNames: Record<Dialect, string> = {
  markdown: "Markdown",
  mdx: "MDX",
  mkdocs: "MkDocs",
  docusaurus: "Docusaurus",
  gitbook: "GitBook",
  hugo: "Hugo",
  mdbook: "mdBook",
  vitepress: "VitePress",
  obsidian: "Obsidian",
  myst: "MyST",
  jekyll: "Jekyll",
};

/** Where a page stands: its address, its place in the tree, its status, times and dialect. */
export function Details({ id, work, liveSlug, tree, problem, canWrite, now, onChange, onDelete }: Props) {
  const own = useId();
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const [status, statusLong] = statusWords[work.status];
  const said = (member: string) => saidOf(problem?.body, member);
  const time = (member: "publishAt" | "unpublishAt", label: Word, hint: Word) => (
    <TimeField
      label={t(label)}
      hint={`${t(hint)} ${t("matterZone", zone)}`}
      value={work[member]}
      now={now}
      fault={said(member)}
      onChange={(value) => onChange({ [member]: value })}
    />
  );
  return (
    <div class="details">
      <Slug value={work.slug} {...(liveSlug !== undefined && { live: liveSlug })} fault={said("slug")} onChange={(slug) => onChange({ slug })} />
      <ParentPicker id={id} value={work.parentId} tree={tree} disabled={false} fault={said("parentId")} onChange={(parentId) => onChange({ parentId })} />
      <dl class="details-status">
        <dt>{t("matterStatus")}</dt>
        <dd aria-describedby={`${own}-status`}>
          <span class={`badge ${work.status === "published" ? "ok" : work.status}`}>{t(status)}</span>
        </dd>
      </dl>
      <p class="hint" id={`${own}-status`}>
        {t(statusLong)} {said("status")}
      </p>
      {work.status !== "published" && time("publishAt", "matterPublishAt", "matterPublishAtHint")}
      {time("unpublishAt", "matterUnpublishAt", "matterUnpublishAtHint")}
      <DialectField value={work.dialect} fault={said("dialect")} onChange={(dialect) => onChange({ dialect })} />
      {id !== null && canWrite && <DeletePage id={id} tree={tree} onDelete={onDelete} />}
    </div>
  );
}

function DialectField({ value, fault, onChange }: { value: Dialect | null; fault: string; onChange: (dialect: Dialect | null) => void }) {
  const id = useId();
  return (
    <div>
      <label for={id}>{t("matterDialect")}</label>
      <select id={id} class="field" value={value ?? ""} aria-describedby={`${id}-hint`} onChange={(e) => onChange((e.currentTarget.value || null) as Dialect | null)}>
        <option value="">{t("matterNoDialect")}</option>
        {dialects.map((d) => (
          <option value={d}>{dialectNames[d]}</option>
        ))}
      </select>
      <p class="hint" id={`${id}-hint`}>
        {t("matterDialectHint")} {fault}
      </p>
    </div>
  );
}

/** The slug is handed on once it is one. */
function Slug({ value, live, fault, onChange }: { value: string; live?: string; fault: string; onChange: (slug: string) => void }) {
  const id = useId();
  const [typed, setTyped] = useState<string>();
  const wrong = typed === undefined ? undefined : slugFault(typed);
  const said = wrong ? t(wrong) : fault;
  return (
    <div>
      <label for={id}>{t("matterSlug")}</label>
      <input
        id={id}
        class="field"
        value={typed ?? value}
        spellcheck={false}
        autocapitalize="off"
        autocomplete="off"
        aria-invalid={said !== ""}
        aria-describedby={`${id}-hint${said ? ` ${id}-fault` : ""}`}
        onInput={(e) => {
          setTyped(e.currentTarget.value);
          if (!slugFault(e.currentTarget.value)) onChange(e.currentTarget.value);
        }}
        onBlur={() => !wrong && setTyped(undefined)}
      />
      {said && (
        <p class="error" id={`${id}-fault`}>
          {said}
        </p>
      )}
      <p class="hint" id={`${id}-hint`}>
        {live !== undefined && live !== value ? t("matterSlugFormer", live) : t("matterSlugHint")}
      </p>
    </div>
  );
}

interface TimeProps {
  label: string;
  hint: string;
  value: string | null;
  now: number;
  fault: string;
  onChange: (iso: string | null) => void;
}

function TimeField({ label, hint, value, now, fault, onChange }: TimeProps) {
  const id = useId();
  const past = value !== null && Date.parse(value) <= now;
  return (
    <div>
      <label for={id}>{label}</label>
      <div class="row details-time">
        <input
          id={id}
          class="field"
          type="datetime-local"
          value={toField(value)}
          aria-invalid={fault !== ""}
          aria-describedby={`${id}-hint${fault ? ` ${id}-fault` : ""}`}
          onChange={(e) => e.currentTarget.validity.badInput || onChange(fromField(e.currentTarget.value))}
        />
        {value !== null && (
          <button type="button" class="button" aria-label={t("matterNoTimeOf", label)} onClick={() => onChange(null)}>
            {t("matterNoTime")}
          </button>
        )}
      </div>
      {fault && (
        <p class="error" id={`${id}-fault`}>
          {fault}
        </p>
      )}
      <p class="hint" id={`${id}-hint`}>
        {hint} {past && <strong>{t("matterPast")}</strong>}
      </p>
    </div>
  );
}
