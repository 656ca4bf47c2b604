import { useId, useState } from "preact/hooks";
import { Icon } from "../ui/icon.tsx";
import { t } from "../words.ts";
import type { Row } from "./known.ts";
import { type Given, isDay, isNumber, type Kind } from "./matter.ts";

interface Props {
  row: Row;
  readOnly: boolean;
  onChange: (value: Given) => void;
  onRemove: () => void;
  onSource: () => void;
}

/** One key of the front matter. Its control stays what it was while something is typed. */
export function MatterField({ row, readOnly, onChange, onRemove, onSource }: Props) {
  const id = useId();
  const [kind] = useState(row.given.kind);
  const { given } = row;
  const label = row.known ? t(row.known.label) : row.name;
  const hint = row.known ? t(row.known.hint) : row.name === "title" ? t("matterTitleHint") : "";
  const common = { id, disabled: readOnly, ...(hint && { "aria-describedby": `${id}-hint` }) };
  const control = () => {
    if (kind === "other" || given.kind === "other")
      return (
        <>
          <pre class="matter-lines" id={id} aria-label={label} tabIndex={0}>
            {row.source}
          </pre>
          <button type="button" class="button plain small" onClick={onSource}>
            {t("matterInSource")}
          </button>
        </>
      );
    if (given.kind === "list") return <Chips {...common} label={label} values={given.value} onChange={(value) => onChange({ kind: "list", value })} />;
    if (given.kind === "flag")
      return (
        <label for={id}>
          <input {...common} type="checkbox" checked={given.value} onChange={(e) => onChange({ kind: "flag", value: e.currentTarget.checked })} />
          {label}
        </label>
      );
    return <TextControl {...common} kind={kind} value={given.value} long={row.name === "description"} onChange={onChange} />;
  };
  return (
    <div class="matter-field">
      {given.kind !== "flag" && (given.kind === "other" ? <span class="matter-label">{label}</span> : <label for={id}>{label}</label>)}
      {!row.known && !readOnly && (
        <button type="button" class="button plain icon-only matter-remove" aria-label={t("matterRemove", label)} onClick={onRemove}>
          <Icon name="trash" />
        </button>
      )}
      {control()}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

interface TextProps {
  id: string;
  disabled: boolean;
  "aria-describedby"?: string;
  kind: Kind;
  value: string;
  long: boolean;
  onChange: (value: Given) => void;
}

/** A text, number or date. A number or date is set once it is one. */
function TextControl({ kind, value, long, onChange, ...common }: TextProps) {
  const [typed, setTyped] = useState<string>();
  const strict = kind === "number" || kind === "date";
  const fits = (text: string) => (kind === "number" ? isNumber(text) : isDay(text));
  const wrong = strict && typed !== undefined && !fits(typed);
  const describe = [common["aria-describedby"], wrong && `${common.id}-wrong`].filter(Boolean).join(" ");
  const all = {
    ...common,
    class: "field",
    dir: "auto" as const,
    value: typed ?? value,
    "aria-invalid": wrong,
    ...(describe && { "aria-describedby": describe }),
    onInput: (e: { currentTarget: { value: string } }) => {
      const text = e.currentTarget.value;
      if (strict) setTyped(text);
      if (kind === "number" || kind === "date") return void (fits(text) && onChange({ kind, value: text }));
      onChange({ kind: "text", value: text });
    },
    onBlur: () => {
      if (!wrong) setTyped(undefined);
    },
  };
  return (
    <>
      {kind === "date" ? (
        <input {...all} type="date" />
      ) : kind === "text" && (long || value.includes("\n")) ? (
        <textarea {...all} rows={3} />
      ) : (
        <input {...all} inputmode={kind === "number" ? "decimal" : "text"} />
      )}
      {wrong && (
        <p class="error" id={`${common.id}-wrong`}>
          {t(kind === "number" ? "matterNotNumber" : "matterNotDay")}
        </p>
      )}
    </>
  );
}

interface ChipsProps {
  id: string;
  disabled: boolean;
  "aria-describedby"?: string;
  label: string;
  values: string[];
  onChange: (values: string[]) => void;
}

/** Texts of which each can be taken out, and a field that adds one by Enter or a comma. */
function Chips({ label, values, onChange, ...common }: ChipsProps) {
  const [typed, setTyped] = useState("");
  const put = () => {
    const more = typed.trim();
    setTyped("");
    if (more && !values.includes(more)) onChange([...values, more]);
  };
  return (
    <div class="chips">
      {values.length > 0 && (
        <ul aria-label={label}>
          {values.map((v, i) => (
            <li key={`${i} ${v}`}>
              <bdi>{v}</bdi>
              {!common.disabled && (
                <button type="button" aria-label={t("matterTakeOut", v)} onClick={() => onChange(values.filter((_, at) => at !== i))}>
                  <Icon name="close" />
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      <input
        {...common}
        class="field"
        dir="auto"
        placeholder={t("matterOneMore")}
        value={typed}
        onInput={(e) => setTyped(e.currentTarget.value)}
        onBlur={put}
        onKeyDown={(e) => {
          if ((e.key === "Enter" || e.key === ",") && !e.isComposing) {
            e.preventDefault();
            put();
          } else if (e.key === "Backspace" && typed === "" && values.length > 0) onChange(values.slice(0, -1));
        }}
      />
    </div>
  );
}
