import { useState } from "preact/hooks";
import { Told } from "../api/client.ts";
import { client } from "../session.ts";
import { send } from "../ui/act.ts";
import { FormDialog, RemoveDialog, TextField } from "../ui/form.tsx";
import { Icon } from "../ui/icon.tsx";
import { useList } from "../ui/list.ts";
import { Table } from "../ui/table.tsx";
import { t } from "../words.ts";
import { Intro } from "./intro.tsx";
import { say } from "./say.ts";

interface Redirect {
  from: string;
  to: string;
}

/** Redirects: addresses that lead to others. */
export function Redirects() {
  const list = useList<Redirect>("/redirects");
  const [edited, setEdited] = useState<Redirect>();
  const [removed, setRemoved] = useState<Redirect>();
  return (
    <>
      <Intro what={say("redirectsWhat")}>
        <button type="button" class="button primary" onClick={() => setEdited({ from: "", to: "" })}>
          <Icon name="plus" />
          {say("newRedirect")}
        </button>
      </Intro>
      <Table
        label={say("redirects")}
        none={say("noRedirects")}
        list={list}
        keyOf={(r) => r.from}
        name={(r) => r.from}
        menu={(r) => [
          { label: say("edit"), icon: "draft", run: () => setEdited(r) },
          { label: t("remove"), icon: "trash", danger: true, run: () => setRemoved(r) },
        ]}
        columns={[
          { head: say("oldPath"), cell: (r) => <bdi class="admin-line">{r.from}</bdi> },
          { head: say("newPath"), cell: (r) => <bdi class="admin-line">{r.to}</bdi> },
        ]}
      />
      {removed && <RemoveDialog name={removed.from} what={say("removeRedirectWhat")} path={`/redirects?from=${encodeURIComponent(removed.from)}`} onClose={() => (setRemoved(undefined), list.again())} />}
      {edited && <Edit of={edited} onClose={() => (setEdited(undefined), list.again())} />}
    </>
  );
}

/** A path as the server keeps it: without escapes, and without a slash at its end. */
function asKept(path: string): string {
  try {
    return decodeURIComponent(path).replace(/\/$/, "");
  } catch {
    return path; // the server says what is wrong
  }
}

function Edit({ of, onClose }: { of: Redirect; onClose: () => void }) {
  const [from, setFrom] = useState(of.from);
  const [to, setTo] = useState(of.to);
  const submit = async () => {
    const kept = asKept(from);
    // The server would put this one in the place of the other.
    if (kept !== of.from && (await client.all<Redirect>("/redirects?limit=100")).some((r) => r.from === kept)) throw new Told(say("redirectThere", kept));
    const made = await send<Redirect>("POST", "/redirects", { from, to });
    if (of.from && of.from !== made.from) await send("DELETE", `/redirects?from=${encodeURIComponent(of.from)}`);
  };
  return (
    <FormDialog title={say(of.from ? "editRedirect" : "newRedirect")} does={say("save")} onSend={submit} onClose={onClose}>
      <TextField label={say("oldPath")} hint={say("oldPathHint")} value={from} onChange={setFrom} required />
      <TextField label={say("newPath")} hint={say("newPathHint")} value={to} onChange={setTo} required />
    </FormDialog>
  );
}
