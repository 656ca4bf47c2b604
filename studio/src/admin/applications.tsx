import { useState } from "preact/hooks";
import { When } from "../history/when.tsx";
import { send, useMake } from "../ui/act.ts";
import { CheckField, ChecksField, FormDialog, RemoveDialog, linesOf, TextField } from "../ui/form.tsx";
import { Icon } from "../ui/icon.tsx";
import { useList } from "../ui/list.ts";
import { Table } from "../ui/table.tsx";
import { t } from "../words.ts";
import { Intro } from "./intro.tsx";
import { type Secret, ShownOnce } from "./once.tsx";
import { say } from "./say.ts";

interface Application {
  id: string;
  name: string;
  public: boolean;
  redirectUris: string[];
  scopes: string[];
  createdAt: string;
}

type Asked = { what: "create" } | { what: "edit" | "remove"; of: Application };

/** Applications that sign people in by OAuth 2.0. */
export function Applications() {
  const list = useList<Application>("/clients");
  const [asked, setAsked] = useState<Asked>();
  const [secret, setSecret] = useState<Secret>();
  const close = () => (setAsked(undefined), list.again());
  return (
    <>
      <Intro what={say("applicationsWhat")}>
        <button type="button" class="button primary" onClick={() => setAsked({ what: "create" })}>
          <Icon name="plus" />
          {say("newApplication")}
        </button>
      </Intro>
      <Table
        label={say("applications")}
        none={say("noApplications")}
        list={list}
        keyOf={(a) => a.id}
        name={(a) => a.name}
        menu={(a) => [
          { label: say("edit"), icon: "draft", run: () => setAsked({ what: "edit", of: a }) },
          { label: t("remove"), icon: "trash", danger: true, run: () => setAsked({ what: "remove", of: a }) },
        ]}
        columns={[
          { head: say("name"), cell: (a) => <bdi>{a.name}</bdi> },
          { head: say("clientId"), cell: (a) => <code class="admin-line">{a.id}</code> },
          { head: say("kind"), cell: (a) => say(a.public ? "publicClient" : "confidentialClient") },
          { head: say("redirectUris"), cell: (a) => a.redirectUris.map((u) => <code key={u} class="admin-line">{u}</code>) },
          { head: say("since"), cell: (a) => Date.parse(a.createdAt) > 0 && <When at={a.createdAt} now={Date.now()} /> }, // what comes with the program has no time
        ]}
      />
      {(asked?.what === "create" || asked?.what === "edit") && <Edit of={asked.what === "edit" ? asked.of : undefined} known={list.rows} onSecret={setSecret} onClose={close} />}
      {asked?.what === "remove" && <RemoveDialog name={asked.of.name} what={say("removeApplicationWhat")} path={`/clients/${asked.of.id}`} onClose={close} />}
      {secret && <ShownOnce secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  );
}

function Edit({ of, known, onSecret, onClose }: { of: Application | undefined; known: readonly Application[] | undefined; onSecret: (s: Secret) => void; onClose: () => void }) {
  const [name, setName] = useState(of?.name ?? "");
  const [uris, setUris] = useState(of?.redirectUris.join("\n") ?? "");
  const [scopes, setScopes] = useState<readonly string[]>(of?.scopes ?? []);
  const [open, setOpen] = useState(of?.public ?? false);
  const make = useMake("/clients", known, (a) => a.name === name, () => say("madeUnheard", name));
  const submit = async () => {
    const body = { name, redirectUris: linesOf(uris), ...(!open && { scopes }) };
    if (of) return send("PATCH", `/clients/${of.id}`, body);
    const made = await make<{ id: string; secret?: string }>({ ...body, public: open });
    onSecret({ title: say("secretOf", name), what: say(made.secret ? "secretWhat" : "noSecretWhat", made.id), text: made.secret ?? made.id });
  };
  return (
    <FormDialog title={of ? say("editOf", of.name) : say("newApplication")} does={say(of ? "save" : "create")} onSend={submit} onClose={onClose}>
      <TextField label={say("name")} hint={say("applicationNameHint")} value={name} onChange={setName} required max={120} />
      <TextField label={say("redirectUris")} hint={say("redirectUrisHint")} lines={3} value={uris} onChange={setUris} />
      {!of && <CheckField label={say("publicClient")} hint={say("publicClientHint")} value={open} onChange={setOpen} />}
      {!open && <ChecksField label={say("ownScopes")} hint={say("ownScopesHint")} value={scopes} onChange={setScopes} choices={["pages:read", "pages:propose", "pages:write", "admin"]} />}
    </FormDialog>
  );
}
