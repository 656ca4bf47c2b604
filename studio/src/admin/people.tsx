import { useState } from "preact/hooks";
import { When } from "../history/when.tsx";
import { session } from "../session.ts";
import { send, useAct, useMake } from "../ui/act.ts";
import { ChoiceField, FormDialog, RemoveDialog, TextField } from "../ui/form.tsx";
import { Icon } from "../ui/icon.tsx";
import { useList } from "../ui/list.ts";
import type { MenuItem } from "../ui/menu.tsx";
import { ProblemNote } from "../ui/problem.tsx";
import { Table } from "../ui/table.tsx";
import { t } from "../words.ts";
import { Intro } from "./intro.tsx";
import { type Secret, ShownOnce } from "./once.tsx";
import { say } from "./say.ts";

interface User {
  id: string;
  email: string;
  name: string;
  role: Role;
  disabled: boolean;
  invited?: boolean;
  createdAt: string;
}

const roles = ["reader", "contributor", "editor", "admin"] as const;
type Role = (typeof roles)[number];

const roleName = (r: Role) => say(({ reader: "roleReader", contributor: "roleContributor", editor: "roleEditor", admin: "roleAdmin" } as const)[r]);
const roleChoices = roles.map((value) => ({ value, label: roleName(value) }));

type Asked = { what: "invite" } | { what: "edit" | "remove"; of: User };

/** People: inviting them, what they may do, and ending that. */
export function People() {
  const list = useList<User>("/users");
  const [asked, setAsked] = useState<Asked>();
  const [link, setLink] = useState<Secret>();
  const act = useAct();
  const change = (what: () => Promise<unknown>) => void act.run(what).then(list.again);
  const menu = (u: User): MenuItem[] => [
    { label: say("edit"), icon: "draft", run: () => setAsked({ what: "edit", of: u }) },
    {
      label: say(u.invited ? "inviteAgain" : "resetPassword"),
      icon: "link",
      run: () => change(async () => setLink(linkOf(u.name, (await send<{ link: string }>("POST", `/users/${u.id}/reset`)).link))),
    },
    ...(u.id === session.value?.person
      ? []
      : [
          { label: say(u.disabled ? "enable" : "disable"), icon: u.disabled ? ("check" as const) : ("close" as const), run: () => change(() => send("PATCH", `/users/${u.id}`, { disabled: !u.disabled })) },
          { label: t("remove"), icon: "trash" as const, danger: true, run: () => setAsked({ what: "remove", of: u }) },
        ]),
  ];
  return (
    <>
      <Intro what={say("peopleWhat")}>
        <button type="button" class="button primary" onClick={() => setAsked({ what: "invite" })}>
          <Icon name="plus" />
          {say("invite")}
        </button>
      </Intro>
      {act.fault !== undefined && <ProblemNote problem={act.fault} />}
      <Table
        label={say("people")}
        none={say("nobody")}
        list={list}
        keyOf={(u) => u.id}
        name={(u) => u.name}
        menu={menu}
        columns={[
          { head: say("name"), cell: (u) => <bdi>{u.name}</bdi> },
          { head: say("email"), cell: (u) => <bdi class="admin-line">{u.email}</bdi> },
          { head: say("role"), cell: (u) => roleName(u.role) },
          { head: say("state"), cell: (u) => (u.disabled ? <span class="badge danger">{say("disabled")}</span> : u.invited ? <span class="badge warn">{say("invited")}</span> : say("active")) },
          { head: say("since"), cell: (u) => <When at={u.createdAt} now={Date.now()} /> },
        ]}
      />
      {asked?.what === "invite" && <Invite known={list.rows} onDone={setLink} onClose={() => (setAsked(undefined), list.again())} />}
      {asked?.what === "edit" && <Edit user={asked.of} onClose={() => (setAsked(undefined), list.again())} />}
      {asked?.what === "remove" && <RemoveDialog name={asked.of.name} what={say("removePersonWhat")} path={`/users/${asked.of.id}`} onClose={() => (setAsked(undefined), list.again())} />}
      {link && <ShownOnce secret={link} onClose={() => setLink(undefined)} />}
    </>
  );
}

const linkOf = (name: string, text: string): Secret => ({ title: say("linkFor", name), what: say("linkWhat"), text });

function Invite({ known, onDone, onClose }: { known: readonly User[] | undefined; onDone: (link: Secret) => void; onClose: () => void }) {
  const [email, setEmail] = useState("");
  const [name, setName] = useState("");
  const [role, setRole] = useState<Role>("contributor");
  const make = useMake("/users", known, (u) => u.email.toLowerCase() === email.toLowerCase(), () => say("invitedUnheard", name));
  return (
    <FormDialog title={say("invite")} does={say("invite")} onClose={onClose} onSend={async () => onDone(linkOf(name, (await make<{ link: string }>({ email, name, role })).link))}>
      <TextField label={say("email")} type="email" value={email} onChange={setEmail} required />
      <TextField label={say("name")} value={name} onChange={setName} required max={200} />
      <ChoiceField label={say("role")} hint={say("roleHint")} value={role} onChange={setRole} choices={roleChoices} />
    </FormDialog>
  );
}

function Edit({ user, onClose }: { user: User; onClose: () => void }) {
  const [name, setName] = useState(user.name);
  const [role, setRole] = useState(user.role);
  return (
    <FormDialog title={say("editOf", user.name)} does={say("save")} onClose={onClose} onSend={() => send("PATCH", `/users/${user.id}`, { name, role })}>
      <TextField label={say("name")} value={name} onChange={setName} required max={200} />
      <ChoiceField label={say("role")} hint={say("roleHint")} value={role} onChange={setRole} choices={roleChoices} />
    </FormDialog>
  );
}
