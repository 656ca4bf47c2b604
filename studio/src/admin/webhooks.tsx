import { useState } from "preact/hooks";
import { When } from "../history/when.tsx";
import { send, useAct, useMake } from "../ui/act.ts";
import { CheckField, ChecksField, FormDialog, RemoveDialog, TextField } from "../ui/form.tsx";
import { Icon } from "../ui/icon.tsx";
import { useList } from "../ui/list.ts";
import type { MenuItem } from "../ui/menu.tsx";
import { ProblemNote } from "../ui/problem.tsx";
import { Table } from "../ui/table.tsx";
import { Deliveries } from "./deliveries.tsx";
import { t } from "../words.ts";
import { types } from "./events.ts";
import { Intro } from "./intro.tsx";
import { type Secret, ShownOnce } from "./once.tsx";
import { say } from "./say.ts";

export interface Webhook {
  id: string;
  url: string;
  types: string[];
  description?: string;
  disabled: boolean;
  disabledReason?: string;
  failingSince?: string;
  createdAt: string;
}

type Asked = { what: "create" } | { what: "edit" | "remove" | "rotate" | "deliveries"; of: Webhook };

/** Webhooks: who is told of events, and whether it was heard. */
export function Webhooks() {
  const list = useList<Webhook>("/webhooks");
  const [asked, setAsked] = useState<Asked>();
  const [secret, setSecret] = useState<Secret>();
  const [said, setSaid] = useState("");
  const act = useAct();
  const close = () => (setAsked(undefined), list.again());
  const told = (url: string, text: string) => setSecret({ title: say("secretOf", url), what: say("hookSecretWhat"), text });
  const test = (h: Webhook) => {
    setSaid("");
    void act.run((post) => post(`/webhooks/${h.id}/test`)).then((sent) => sent && (setSaid(say("testSent", h.url)), setAsked({ what: "deliveries", of: h })));
  };
  const menu = (h: Webhook): MenuItem[] => [
    { label: say("deliveries"), icon: "list", run: () => setAsked({ what: "deliveries", of: h }) },
    { label: say("sendTest"), icon: "send", run: () => test(h) },
    { label: say("edit"), icon: "draft", run: () => setAsked({ what: "edit", of: h }) },
    { label: say("rotateSecret"), icon: "redo", run: () => setAsked({ what: "rotate", of: h }) },
    { label: t("remove"), icon: "trash", danger: true, run: () => setAsked({ what: "remove", of: h }) },
  ];
  return (
    <>
      <Intro what={say("webhooksWhat")}>
        <button type="button" class="button primary" onClick={() => setAsked({ what: "create" })}>
          <Icon name="plus" />
          {say("newWebhook")}
        </button>
      </Intro>
      <p role="status" class="muted">
        {said}
      </p>
      {act.fault !== undefined && <ProblemNote problem={act.fault} />}
      <Table
        label={say("webhooks")}
        none={say("noWebhooks")}
        list={list}
        keyOf={(h) => h.id}
        name={(h) => h.url}
        menu={menu}
        columns={[
          {
            head: say("address"),
            cell: (h) => (
              <>
                <bdi class="admin-line">{h.url}</bdi>
                {h.description && <span class="small muted">{h.description}</span>}
              </>
            ),
          },
          { head: say("events"), cell: (h) => h.types.join(", ") },
          { head: say("state"), cell: stateOf },
        ]}
      />
      {(asked?.what === "create" || asked?.what === "edit") && <Edit of={asked.what === "edit" ? asked.of : undefined} known={list.rows} onSecret={told} onClose={close} />}
      {asked?.what === "rotate" && (
        <FormDialog
          title={say("rotateOf", asked.of.url)}
          does={say("rotateSecret")}
          onSend={async () => told(asked.of.url, (await send<{ secret: string }>("POST", `/webhooks/${asked.of.id}/rotate-secret`)).secret)}
          onClose={close}
        >
          <p>{say("rotateSecretWhat")}</p>
        </FormDialog>
      )}
      {asked?.what === "remove" && <RemoveDialog name={asked.of.url} what={say("removeWebhookWhat")} path={`/webhooks/${asked.of.id}`} onClose={close} />}
      {asked?.what === "deliveries" && <Deliveries of={asked.of} onClose={close} />}
      {secret && <ShownOnce secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  );
}

function stateOf(h: Webhook) {
  if (h.disabled)
    return (
      <>
        <span class="badge danger">{say("disabled")}</span> {h.disabledReason}
      </>
    );
  if (!h.failingSince) return say("active");
  return (
    <span class="badge warn">
      {say("failing")} <When at={h.failingSince} now={Date.now()} />
    </span>
  );
}

function Edit({ of, known, onSecret, onClose }: { of: Webhook | undefined; known: readonly Webhook[] | undefined; onSecret: (url: string, text: string) => void; onClose: () => void }) {
  const [url, setUrl] = useState(of?.url ?? "https://");
  const [description, setDescription] = useState(of?.description ?? "");
  const [chosen, setChosen] = useState<readonly string[]>(of?.types ?? ["page.published", "page.deleted"]);
  const [enabled, setEnabled] = useState(!(of?.disabled ?? false));
  const offered = [...types, ...(of?.types ?? []).filter((type) => !types.includes(type))]; // what a program has asked for stays
  const make = useMake("/webhooks", known, (h) => h.url === url, () => say("madeUnheard", url));
  const submit = async () => {
    const body = { url, description, types: chosen, disabled: !enabled };
    if (of) return send("PATCH", `/webhooks/${of.id}`, body);
    onSecret(url, (await make<{ secret: string }>(body)).secret);
  };
  return (
    <FormDialog title={of ? say("editOf", of.url) : say("newWebhook")} does={say(of ? "save" : "create")} onSend={submit} onClose={onClose}>
      <TextField label={say("address")} hint={say("hookAddressHint")} type="url" value={url} onChange={setUrl} required max={2000} />
      <TextField label={say("description")} value={description} onChange={setDescription} max={200} />
      <ChecksField label={say("events")} value={chosen} onChange={setChosen} choices={offered} />
      <CheckField label={say("enabled")} value={enabled} onChange={setEnabled} />
    </FormDialog>
  );
}
