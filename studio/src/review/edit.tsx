import { useEffect, useRef, useState } from "preact/hooks";
import { type Editor, openEditor } from "../editor/editor.ts";
import type { Format } from "../editor/format.ts";
import { useAct } from "../ui/act.ts";
import { useGuard } from "../ui/guard.ts";
import { ProblemNote } from "../ui/problem.tsx";
import { t } from "../words.ts";
import { say } from "./say.ts";

interface Props {
  text: string;
  format: Format;
  onSave: (text: string) => Promise<unknown>;
  onDone: () => void;
  onCancel: () => void;
}

/** The text of a change, to be written in. */
export function EditText({ text, format, onSave, onDone, onCancel }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor>(undefined);
  const act = useAct();
  const [changed, setChanged] = useState(false);
  useGuard(changed);
  useEffect(() => {
    const made = openEditor(host.current!, { text, label: t("content"), format, onChange: () => setChanged(true) });
    editor.current = made;
    made.focus();
    return () => made.destroy();
  }, []);
  return (
    <>
      <div class="review-edit" ref={host} />
      {act.fault !== undefined && <ProblemNote problem={act.fault} />}
      <p class="row">
        <button type="button" class="button primary" disabled={act.busy} onClick={() => void act.run(() => onSave(editor.current!.text())).then((done) => done && onDone())}>
          {say("saveText")}
        </button>
        <button type="button" class="button" onClick={onCancel}>
          {t("cancel")}
        </button>
      </p>
    </>
  );
}
