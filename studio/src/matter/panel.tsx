import { useId, useRef, useState } from "preact/hooks";
import type { Problem } from "../api/client.ts";
import { t } from "../words.ts";
import { add, remove, set } from "./edit.ts";
import { saidOf } from "./facts.ts";
import { MatterField } from "./field.tsx";
import { emptyOf, isEmpty, rows } from "./known.ts";
import { asShown, keepEnds } from "./lines.ts";
import { divide, type Fault, type Given, type Kind, type Matter as Model } from "./matter.ts";

interface Props {
  raw: string;
  /** With fault the text is kept as it was typed, and the server would refuse it. */
  onChange: (raw: string, fault?: Fault) => void;
  eol?: string; // how lines of the page end, where there is no front matter yet
  readOnly?: boolean;
  problem?: Problem | null; // of which what it says of the front matter is shown
}

/** The front matter of a page, as a form and as the text that it is. */
export function Matter({ raw, onChange, eol = "\n", readOnly = false, problem }: Props) {
  const id = useId();
  const m = divide(raw);
  const usable = m.form && !m.fault;
  const said = saidOf(problem?.body, "frontmatterRaw");
  const last = useRef<Model>(m);
  if (!m.fault) last.current = m;
  const [source, setSource] = useState(!usable);
  const [refused, setRefused] = useState("");
  const take = (name: string, text: string | null) => {
    setRefused(text === null ? name : "");
    if (text !== null) onChange(text, divide(text).fault);
  };
  // What is typed key by key changes the text as it was before: what stands between, such
  // as a blank at the end that needs quotes, leaves nothing behind.
  const typing = useRef({ name: "", from: "", made: "" });
  const apply = (name: string, value: Given, known: boolean) => {
    const was = typing.current;
    const from = was.name === name && was.made === raw ? was.from : raw;
    const there = divide(from).fields.some((f) => f.name === name);
    const text = known && isEmpty(value) ? (there ? remove(from, name) : from) : set(from, name, value, eol);
    if (text !== null) typing.current = { name, from, made: text };
    take(name, text);
  };
  const tab = (chosen: boolean, word: "matterForm" | "matterSource") => (
    <button type="button" class="button plain" aria-pressed={source === chosen} onClick={() => setSource(chosen)}>
      {t(word)}
    </button>
  );
  return (
    <div class="matter">
      <div class="row" role="group" aria-label={t("matter")}>
        {tab(false, "matterForm")}
        {tab(true, "matterSource")}
      </div>
      {said && !m.fault && (
        <p class="notice danger" role="alert">
          {said}
        </p>
      )}
      {source ? (
        <Source raw={raw} eol={m.fields.length > 0 || raw ? m.eol : eol} {...(m.fault && { fault: m.fault })} readOnly={readOnly} onChange={(text) => onChange(text, divide(text).fault)} />
      ) : (
        <>
          {m.fault && (
            <p class="notice danger" role="alert">
              {t("matterLastForm", m.fault.line, t(m.fault.word))}
            </p>
          )}
          {!m.fault && !m.form && <p class="notice">{t(m.format === "yaml" ? "matterSourceOnly" : "matterOtherFormat", m.format.toUpperCase())}</p>}
          {refused && (
            <p class="notice warn" role="alert">
              {t("matterRefused", refused)}
            </p>
          )}
          {last.current.form &&
            rows(last.current.fields).map((row) => (
              <MatterField
                key={row.name}
                row={row}
                readOnly={readOnly || !usable}
                onChange={(value) => apply(row.name, value, !!row.known)}
                onRemove={() => take(row.name, remove(raw, row.name))}
                onSource={() => setSource(true)}
              />
            ))}
          {!readOnly && usable && <AddKey id={id} taken={m.fields.map((f) => f.name)} onAdd={(name, kind) => take(name, add(raw, name, emptyOf(kind), eol))} />}
        </>
      )}
    </div>
  );
}

/** The text itself, with what is wrong in it beside its line. */
function Source({ raw, eol, fault, readOnly, onChange }: { raw: string; eol: string; fault?: Fault; readOnly: boolean; onChange: (raw: string) => void }) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const goTo = (line: number) => {
    const lines = field.current!.value.split("\n");
    const from = lines.slice(0, line - 1).reduce((n, l) => n + l.length + 1, 0);
    field.current!.focus();
    field.current!.setSelectionRange(from, from + (lines[line - 1] ?? "").length);
  };
  return (
    <>
      <textarea
        ref={field}
        class="field matter-source"
        aria-label={t("matterSourceLabel")}
        aria-invalid={!!fault}
        aria-describedby={`${id}-hint${fault ? ` ${id}-fault` : ""}`}
        spellcheck={false}
        autocapitalize="off"
        readOnly={readOnly}
        rows={Math.min(24, Math.max(6, raw.split("\n").length + 1))}
        value={asShown(raw)}
        onInput={(e) => onChange(keepEnds(raw, e.currentTarget.value, eol))}
      />
      {fault && (
        <p class="error row" id={`${id}-fault`}>
          <button type="button" class="button plain small" onClick={() => goTo(fault.line)}>
            {t("matterLine", fault.line)}
          </button>
          {t(fault.word)}
        </p>
      )}
      <p class="hint" id={`${id}-hint`}>
        {t("matterSourceHint")}
      </p>
    </>
  );
}

const kinds: { kind: Kind; word: "matterKindText" | "matterKindList" | "matterKindNumber" | "matterKindFlag" }[] = [
  { kind: "text", word: "matterKindText" },
  { kind: "list", word: "matterKindList" },
  { kind: "number", word: "matterKindNumber" },
  { kind: "flag", word: "matterKindFlag" },
];

function AddKey({ id, taken, onAdd }: { id: string; taken: string[]; onAdd: (name: string, kind: Kind) => void }) {
  const [name, setName] = useState("");
  const [kind, setKind] = useState<Kind>("text");
  const there = taken.includes(name.trim());
  return (
    <form
      class="matter-add"
      onSubmit={(e) => {
        e.preventDefault();
        if (!name.trim() || there) return;
        onAdd(name.trim(), kind);
        setName("");
      }}
    >
      <div>
        <label for={`${id}-name`}>{t("matterNewKey")}</label>
        <input id={`${id}-name`} class="field" value={name} aria-invalid={there} {...(there && { "aria-describedby": `${id}-there` })} onInput={(e) => setName(e.currentTarget.value)} />
      </div>
      <div>
        <label for={`${id}-kind`}>{t("matterKind")}</label>
        <select id={`${id}-kind`} class="field" value={kind} onChange={(e) => setKind(e.currentTarget.value as Kind)}>
          {kinds.map((k) => (
            <option key={k.kind} value={k.kind}>
              {t(k.word)}
            </option>
          ))}
        </select>
      </div>
      <button class="button" disabled={!name.trim() || there}>
        {t("matterAdd")}
      </button>
      {there && (
        <p class="error" id={`${id}-there`}>
          {t("matterThere")}
        </p>
      )}
    </form>
  );
}
