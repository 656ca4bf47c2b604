import { useEffect, useRef, useState } from "preact/hooks";
import { type Editor, openEditor } from "../editor/editor.ts";
import { formatOf } from "../editor/format.ts";
import { MergeView } from "../merge/view.tsx";
import { useAct } from "../ui/act.ts";
import { useGuard } from "../ui/guard.ts";
import { ProblemNote } from "../ui/problem.tsx";
import { t } from "../words.ts";
import { say } from "./say.ts";

interface Props {
  before: string; // as it was when somebody began to write
  text: string;
  onSave: (text: string) => Promise<void>;
  onCancel: () => void;
}

/** The text of a change, to be written in. */
export function EditText({ before, text, onSave, onCancel }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor>(undefined);
  const act = useAct();
  const [changed, setChanged] = useState(text !== before);
  useGuard(changed);
  useEffect(() => {
    const made = openEditor(host.current!, { text, label: t("content"), format: formatOf(text), onChange: () => setChanged(true) });
    editor.current = made;
    made.focus();
    return () => made.destroy();
  }, []);
  return (
    <>
      <div class="review-edit" ref={host} />
      {act.fault !== undefined && <ProblemNote problem={act.fault} />}
      <p class="row">
        <button type="button" class="button primary" disabled={act.busy} onClick={() => void act.run(() => onSave(editor.current!.text()))}>
          {say("saveText")}
        </button>
        <button type="button" class="button" onClick={onCancel}>
          {t("cancel")}
        </button>
      </p>
    </>
  );
}

/** Makes one text of what was written and of what somebody else has saved meanwhile. */
export function JoinTexts({ before, text, theirs, onSave, onCancel }: Props & { theirs: string }) {
  const act = useAct();
  useGuard(true);
  return (
    <>
      {act.fault !== undefined && <ProblemNote problem={act.fault} />}
      <MergeView base={before} mine={text} theirs={theirs} format={formatOf(text)} onCancel={onCancel} onResolve={(merged) => void act.run(() => onSave(merged))} />
    </>
  );
}
