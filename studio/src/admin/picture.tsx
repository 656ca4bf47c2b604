import { useId, useState } from "preact/hooks";
import { upload } from "../api/upload.ts";
import { useAct } from "../ui/act.ts";
import { newKey } from "../ui/key.ts";
import { ProblemNote } from "../ui/problem.tsx";
import { t } from "../words.ts";
import { say } from "./say.ts";

/** A picture of the site: the asset that it is, or a file to be one. */
export function FileField({ label, value, onChange }: { label: string; value: string | null; onChange: (id: string | null) => void }) {
  const id = useId();
  const act = useAct();
  const [share, setShare] = useState(0);
  const send = (file: File | undefined) => {
    if (!file) return;
    setShare(0);
    void act.run(async () => onChange((await upload(file, { signal: new AbortController().signal, progress: setShare, key: newKey() })).id));
  };
  return (
    <div class="admin-file">
      <label for={id}>{label}</label>
      <div class="row">
        <input id={id} type="file" accept="image/*" disabled={act.busy} onChange={(e) => send(e.currentTarget.files?.[0])} />
        {value && (
          <>
            <code>{value}</code>
            <button type="button" class="button plain" onClick={() => onChange(null)} aria-label={say("takeOut", label)}>
              {t("remove")}
            </button>
          </>
        )}
        {act.busy && <progress max={1} value={share} aria-label={say("progress")} />}
      </div>
      {act.fault !== undefined && <ProblemNote problem={act.fault} />}
    </div>
  );
}
