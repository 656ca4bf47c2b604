import { useState } from "preact/hooks";
import { When } from "../history/when.tsx";
import { send, useMake } from "../ui/act.ts";
import { CheckField, ChecksField, ChoiceField, FormDialog, linesOf, TextField } from "../ui/form.tsx";
import { Icon } from "../ui/icon.tsx";
import { useList } from "../ui/list.ts";
import type { MenuItem } from "../ui/menu.tsx";
import { Table } from "../ui/table.tsx";
import { Intro } from "./intro.tsx";
import { type Secret, ShownOnce } from "./once.tsx";
import { say } from "./say.ts";

interface Key {
  id: string;
  name: string;
  kind: "service" | "search";
  scopes: string[];
  publishedOnly: boolean;
  filter?: { tags?: string[] };
  createdAt: string;
  expiresAt?: string;
  revokedAt?: string;
  lastUsedAt?: string;
}

type Asked = { what: "create" } | { what: "rotate" | "revoke"; of: Key };

/** API keys: what programs use in place of a person. */
export function Keys() {
  const list = useList<Key>("/api-keys");
  const [asked, setAsked] = useState<Asked>();
  const [secret, setSecret] = useState<Secret>();
  const close = () => (setAsked(undefined), list.again());
  const told = (name: string, text: string) => setSecret({ title: say("keyOf", name), what: say("keyOfWhat"), text });
  const menu = (k: Key): MenuItem[] =>
    k.revokedAt
      ? []
      : [
          { label: say("rotate"), icon: "redo", run: () => setAsked({ what: "rotate", of: k }) },
          { label: say("revoke"), icon: "trash", danger: true, run: () => setAsked({ what: "revoke", of: k }) },
        ];
  return (
    <>
      <Intro what={say("keysWhat")}>
        <button type="button" class="button primary" onClick={() => setAsked({ what: "create" })}>
          <Icon name="plus" />
          {say("newKey")}
        </button>
      </Intro>
      <Table
        label={say("keys")}
        none={say("noKeys")}
        list={list}
        keyOf={(k) => k.id}
        name={(k) => k.name}
        menu={menu}
        columns={[
          { head: say("name"), cell: (k) => <bdi>{k.name}</bdi> },
          { head: say("kind"), cell: (k) => say(k.kind === "search" ? "kindSearch" : "kindService") },
          { head: say("scopes"), cell: (k) => <code>{k.scopes.join(" ")}</code> },
          { head: say("state"), cell: stateOf },
          { head: say("lastUsed"), cell: (k) => (k.lastUsedAt ? <When at={k.lastUsedAt} now={Date.now()} /> : say("never")) },
        ]}
      />
      {asked?.what === "create" && <Create known={list.rows} onDone={told} onClose={close} />}
      {asked?.what === "rotate" && <Rotate of={asked.of} onDone={told} onClose={close} />}
      {asked?.what === "revoke" && (
        <FormDialog title={say("revokeOf", asked.of.name)} does={say("revoke")} danger onSend={() => send("DELETE", `/api-keys/${asked.of.id}`)} onClose={close}>
          <p>{say("revokeWhat")}</p>
        </FormDialog>
      )}
      {secret && <ShownOnce secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  );
}

function stateOf(k: Key) {
  if (k.revokedAt) return <span class="badge danger">{say("revoked")}</span>;
  if (!k.expiresAt) return say("active");
  if (Date.parse(k.expiresAt) < Date.now()) return <span class="badge danger">{say("expired")}</span>;
  return (
    <>
      {say("expires")} <When at={k.expiresAt} now={Date.now()} />
    </>
  );
}

interface MadeKey extends Key {
  key: string;
}

interface DoneProps {
  onDone: (name: string, text: string) => void;
  onClose: () => void;
}

function Create({ known, onDone, onClose }: DoneProps & { known: readonly Key[] | undefined }) {
  const [name, setName] = useState("");
  const [kind, setKind] = useState<Key["kind"]>("service");
  const [scopes, setScopes] = useState<readonly string[]>(["pages:read"]);
  const [publishedOnly, setPublishedOnly] = useState(true);
  const [tags, setTags] = useState("");
  const [day, setDay] = useState("");
  const make = useMake("/api-keys", known, (k) => k.name === name, () => say("madeUnheard", name));
  const body = () => ({
    name,
    kind,
    ...(kind === "service" && { scopes, publishedOnly }),
    ...(linesOf(tags).length > 0 && { filter: { tags: linesOf(tags) } }),
    ...(day && { expiresAt: new Date(`${day}T23:59:59`).toISOString() }),
  });
  return (
    <FormDialog title={say("newKey")} does={say("create")} onClose={onClose} onSend={async () => onDone(name, (await make<MadeKey>(body())).key)}>
      <TextField label={say("name")} hint={say("keyNameHint")} value={name} onChange={setName} required max={120} />
      <ChoiceField
        label={say("kind")}
        hint={say("kindHint")}
        value={kind}
        onChange={setKind}
        choices={[
          { value: "service", label: say("kindService") },
          { value: "search", label: say("kindSearch") },
        ]}
      />
      {kind === "service" && <ChecksField label={say("scopes")} value={scopes} onChange={setScopes} choices={["pages:read", "pages:propose", "pages:write", "admin"]} />}
      {kind === "service" && <CheckField label={say("publishedOnly")} hint={say("publishedOnlyHint")} value={publishedOnly} onChange={setPublishedOnly} />}
      <TextField label={say("onlyTags")} hint={say("onlyTagsHint")} lines={2} value={tags} onChange={setTags} />
      <TextField label={say("expiresOn")} hint={say("expiresOnHint")} type="date" value={day} onChange={setDay} />
    </FormDialog>
  );
}

const graces = { "0": "graceNone", "3600": "graceHour", "86400": "graceDay" } as const;

function Rotate({ of, onDone, onClose }: DoneProps & { of: Key }) {
  const [grace, setGrace] = useState<keyof typeof graces>("3600");
  return (
    <FormDialog title={say("rotateOf", of.name)} does={say("rotate")} onClose={onClose} onSend={async () => onDone(of.name, (await send<MadeKey>("POST", `/api-keys/${of.id}/rotate`, { gracePeriod: Number(grace) })).key)}>
      <ChoiceField
        label={say("grace")}
        hint={say("graceHint")}
        value={grace}
        onChange={setGrace}
        choices={(Object.keys(graces) as (keyof typeof graces)[]).map((value) => ({ value, label: say(graces[value]) }))}
      />
    </FormDialog>
  );
}
