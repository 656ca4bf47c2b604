import type { ComponentChildren } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import { Dialog } from "./dialog.tsx";
import { ProblemNote } from "./problem.tsx";
import { t } from "../words.ts";
import { focusNext } from "./next.ts";
import { type Post, send, useAct } from "./act.ts";

interface FormProps {
  title: string;
  does: string; // what the button says
  danger?: boolean;
  onSend: (post: Post) => Promise<unknown>; // the form closes once it is done
  onClose: () => void;
  children: ComponentChildren;
}

/** A dialog that asks for something and sends it. What is refused is told in it. */
export function FormDialog({ title, does, danger, onSend, onClose, children }: FormProps) {
  const { busy, fault, run } = useAct();
  const form = useRef<HTMLFormElement>(null);
  const send = async () => {
    const done = await run(async (post) => {
      try {
        await onSend(post);
      } catch (e) {
        if (!form.current) void Promise.reject(e); // it was closed meanwhile: the bar above the screen says it
        throw e;
      }
    });
    // What was closed meanwhile tells its screen too, unless that would close what was opened since.
    if (done && (form.current || !document.querySelector("dialog[open]"))) onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        ref={form}
        class="admin-form"
        onSubmit={(e) => {
          e.preventDefault();
          void send();
        }}
      >
        {children}
        {fault !== undefined && <ProblemNote problem={fault} />}
        <div class="dialog-foot">
          <button type="button" class="button" onClick={onClose}>
            {t("cancel")}
          </button>
          <button class={`button ${danger ? "danger" : "primary"}`} disabled={busy}>
            {does}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** Asks before something is removed that cannot come back. */
export function RemoveDialog({ name, what, path, onClose }: { name: string; what: string; path: string; onClose: () => void }) {
  const [from] = useState(document.activeElement);
  const remove = async () => {
    await send("DELETE", path);
    focusNext(from);
  };
  return (
    <FormDialog title={t("removeOf", name)} does={t("remove")} danger onSend={remove} onClose={onClose}>
      <p>{what}</p>
    </FormDialog>
  );
}

interface Common<T> {
  label: string;
  hint?: string;
  value: T;
  onChange: (value: T) => void;
}

interface TextProps extends Common<string> {
  type?: "text" | "email" | "url" | "date" | "number";
  lines?: number; // more than one makes a field of several lines
  required?: boolean;
  max?: number; // characters
}

export function TextField({ label, hint, value, onChange, type = "text", lines = 1, required, max }: TextProps) {
  const id = useId();
  const common = {
    id,
    class: "field",
    dir: "auto" as const,
    value,
    required: required ?? false,
    maxLength: max ?? 10_000,
    ...(hint && { "aria-describedby": `${id}-hint` }),
    onInput: (e: { currentTarget: { value: string } }) => onChange(e.currentTarget.value),
  };
  return (
    <p>
      <label for={id}>{label}</label>
      {lines > 1 ? <textarea {...common} rows={lines} spellcheck={false} /> : <input {...common} type={type as "text" /* Preact wants one of them */} autocomplete="off" />}
      <Hint id={id} text={hint} />
    </p>
  );
}

export function ChoiceField<T extends string>({ label, hint, value, onChange, choices }: Common<T> & { choices: { value: T; label: string }[] }) {
  const id = useId();
  return (
    <p>
      <label for={id}>{label}</label>
      <select id={id} class="field" value={value} {...(hint && { "aria-describedby": `${id}-hint` })} onChange={(e) => onChange(e.currentTarget.value as T)}>
        {choices.map((c) => (
          <option key={c.value} value={c.value}>
            {c.label}
          </option>
        ))}
      </select>
      <Hint id={id} text={hint} />
    </p>
  );
}

export function CheckField({ label, hint, value, onChange }: Common<boolean>) {
  const id = useId();
  return (
    <div class="admin-check">
      <label>
        <input type="checkbox" checked={value} {...(hint && { "aria-describedby": `${id}-hint` })} onChange={(e) => onChange(e.currentTarget.checked)} />
        {label}
      </label>
      <Hint id={id} text={hint} />
    </div>
  );
}

/** Several of a few texts. */
export function ChecksField({ label, hint, value, onChange, choices }: Common<readonly string[]> & { choices: readonly string[] }) {
  const id = useId();
  return (
    <fieldset {...(hint && { "aria-describedby": `${id}-hint` })}>
      <legend>{label}</legend>
      <Hint id={id} text={hint} />
      {choices.map((c) => (
        <label key={c}>
          <input type="checkbox" checked={value.includes(c)} onChange={() => onChange(choices.filter((o) => (o === c ? !value.includes(c) : value.includes(o))))} />
          <code>{c}</code>
        </label>
      ))}
    </fieldset>
  );
}

const Hint = ({ id, text }: { id: string; text: string | undefined }) =>
  text ? (
    <span class="hint" id={`${id}-hint`}>
      {text}
    </span>
  ) : null;

/** The texts on the lines of a field, without those that are blank. */
export const linesOf = (text: string): string[] => text.split("\n").map((l) => l.trim()).filter(Boolean);
