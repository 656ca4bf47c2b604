import { useEffect, useState } from "preact/hooks";
import type { List, Proposal } from "../api/types.ts";
import { unsent } from "../draft/browser.ts";
import type { Unsent } from "../draft/journal.ts";
import { addressOf } from "../router.ts";
import { client, known, may, place } from "../session.ts";
import { Icon } from "../ui/icon.tsx";
import { ProblemNote } from "../ui/problem.tsx";
import { language, t } from "../words.ts";
import { mayWrite, newPage } from "./header.tsx";
import { byId, drafts, pages, treeState } from "./pages.ts";
import { useTitle } from "./title.ts";

export function HomeScreen() {
  useTitle(t("home"));
  const { name, person } = known.value ?? { name: "", person: "" };
  const none = treeState.value.loaded && pages.value.length === 0;
  const write = mayWrite();
  return (
    <div class="page-width home">
      <h1>{name ? t("welcome", name) : t("welcomeBare")}</h1>
      {!write && (
        <div class="notice">
          <h2>{t("readOnly")}</h2>
          <p>{t("readOnlyWhat")}</p>
          {place.site && <p><a href={place.site}>{t("readSite")}</a></p>}
        </div>
      )}
      {write && !may("pages:write") && <p class="notice">{t("proposeOnly")}</p>}
      {none && write && <FirstPage />}
      {none && !write && <p>{t("noPagesReader")}</p>}
      {!none && <p class="muted">{t(write ? "chooseWhat" : "chooseRead")}</p>}
      {person && <UnsentTexts key={person} of={person} />}
      {write && !(none && drafts.value.length === 0) && <MyDrafts />}
      {may("pages:propose") && <OpenProposals />}
      {!none && <Changed />}
    </div>
  );
}

function FirstPage() {
  return (
    <section class="home-first">
      <h2>{t("firstPage")}</h2>
      <p>{t("firstPageWhat")}</p>
      <p>{t("firstPageHow")}</p>
      <p class="row">
        <a class="button primary" href={addressOf({ name: "new", parent: null, proposal: null, example: true })}>
          <Icon name="plus" />
          {t("startExample")}
        </a>
        <a class="button" href={newPage()}>
          {t("startEmpty")}
        </a>
      </p>
    </section>
  );
}

/** What waits for somebody to read and merge it, the newest first. */
function OpenProposals() {
  const [open, setOpen] = useState<Proposal[]>([]);
  useEffect(() => {
    const ended = new AbortController();
    // Where this fails, the parts beside it say why.
    client.call<List<Proposal>>("/proposals?status=open&limit=20", { signal: ended.signal }).then(
      (a) => setOpen(a.data.data),
      () => undefined,
    );
    return () => ended.abort();
  }, []);
  if (open.length === 0) return null;
  return (
    <section>
      <h2>{t("openProposals")}</h2>
      <Entries of={open.map((p) => ({ key: p.id, href: addressOf({ name: "proposal", id: p.id }), title: p.title, more: t("proposalBy", p.author.name) }))} />
    </section>
  );
}

/** What no open tab and not the server has. */
function UnsentTexts({ of }: { of: string }) {
  const [texts, setTexts] = useState<Unsent[]>([]);
  useEffect(() => {
    let gone = false;
    void unsent(of).then((found) => gone || setTexts(found));
    return () => void (gone = true);
  }, [of]);
  if (texts.length === 0) return null;
  return (
    <section class="notice warn">
      <h2>{t("unsent")}</h2>
      <p>{t("unsentWhat")}</p>
      <Entries of={texts.map((u) => ({ key: u.key, href: addressOfText(u), title: u.title || t("noTitle"), more: when(u.at) }))} />
    </section>
  );
}

function addressOfText({ page, proposal }: Unsent): string {
  if (!page.startsWith("new:")) return addressOf({ name: "page", id: page });
  return addressOf({ name: "new", parent: null, proposal: proposal ?? page.slice("new:".length) });
}

function MyDrafts() {
  return (
    <section>
      <h2>{t("myDrafts")}</h2>
      {drafts.value.length === 0 ? (
        <p class="muted">{t("noDrafts")}</p>
      ) : (
        <>
          <p class="muted">{t("myDraftsWhat")}</p>
          <Entries of={drafts.value.map(draftEntry)} />
        </>
      )}
    </section>
  );
}

function draftEntry(d: Proposal): Entry {
  const change = d.changes[0];
  const more = when(d.updatedAt);
  if (change?.op !== "create" && change?.pageId) {
    const page = byId.value.get(change.pageId);
    return { key: d.id, href: addressOf({ name: "page", id: change.pageId }), title: t("draftOf", page?.title || change.title || d.title), more };
  }
  return { key: d.id, href: addressOf({ name: "new", parent: null, proposal: d.id }), title: change?.title || d.title || t("noTitle"), more };
}

interface Activity {
  id: string;
  type: string;
  createdAt: string;
  actor?: { name: string };
  pageId?: string;
}

const mostChanged = 8;

function Changed() {
  const [events, setEvents] = useState<Activity[]>();
  const [fault, setFault] = useState<unknown>();
  const [tries, setTries] = useState(0);
  useEffect(() => {
    const end = new AbortController();
    client.call<List<Activity>>("/activity?limit=60", { signal: end.signal }).then(
      (a) => setEvents(a.data.data),
      (e: unknown) => end.signal.aborted || setFault(e),
    );
    return () => end.abort();
  }, [tries]);
  const known = byId.value;
  const last = new Map<string, Activity>();
  for (const e of events ?? []) if (e.type.startsWith("page.") && e.pageId && known.has(e.pageId) && !last.has(e.pageId)) last.set(e.pageId, e);
  return (
    <section>
      <h2>{t("recentlyChanged")}</h2>
      {fault !== undefined ? (
        <ProblemNote
          problem={fault}
          retry={() => {
            setFault(undefined);
            setTries(tries + 1);
          }}
        />
      ) : !events ? (
        <p class="muted">{t("loading")}</p>
      ) : last.size === 0 ? (
        <p class="muted">{t("nothingChanged")}</p>
      ) : (
        <Entries
          of={[...last.values()].slice(0, mostChanged).map((e) => ({
            key: e.id,
            href: addressOf({ name: "page", id: e.pageId! }),
            title: known.get(e.pageId!)!.title || t("noTitle"),
            more: e.actor?.name ? t("changedBy", e.actor.name, when(e.createdAt)) : when(e.createdAt),
          }))}
        />
      )}
    </section>
  );
}

interface Entry {
  key: string;
  href: string;
  title: string;
  more: string;
}

const Entries = ({ of }: { of: Entry[] }) => (
  <ul class="entries">
    {of.map((e) => (
      <li key={e.key}>
        <a href={e.href}>{e.title}</a> <span class="small muted">{e.more}</span>
      </li>
    ))}
  </ul>
);

const format = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
const when = (time: string | Date) => format.format(new Date(time));
