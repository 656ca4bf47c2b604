import { useState } from "preact/hooks";
import { Dialog } from "../ui/dialog.tsx";
import { Icon } from "../ui/icon.tsx";
import { say } from "./say.ts";

export interface Secret {
  title: string;
  what: string; // what it is for
  text: string;
}

/** Shows a secret that the server tells once. */
export function ShownOnce({ secret, onClose }: { secret: Secret; onClose: () => void }) {
  const [copied, setCopied] = useState(false);
  return (
    <Dialog title={secret.title} onClose={onClose}>
      <p>{secret.what}</p>
      <p class="notice warn">{say("shownOnce")}</p>
      <p>
        <code class="admin-secret">{secret.text}</code>
      </p>
      <div class="dialog-foot">
        <span role="status" class="muted">
          {copied && say("copied")}
        </span>
        <button type="button" class="button" onClick={() => void navigator.clipboard?.writeText(secret.text).then(() => setCopied(true))}>
          {say("copy")}
        </button>
        <button type="button" class="button primary" onClick={onClose}>
          <Icon name="check" />
          {say("kept")}
        </button>
      </div>
    </Dialog>
  );
}
