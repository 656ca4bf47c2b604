import type { ComponentType } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { allowed, parts } from "../admin/parts.ts";
import { Unreachable } from "../api/client.ts";
import { PageScreen } from "../page/screen.tsx";
import { addressOf, followed, go, type Screen, screen } from "../router.ts";
import { followSession, may, place, session } from "../session.ts";
import { Icon } from "../ui/icon.tsx";
import { Failed } from "../ui/problem.tsx";
import { useLazy } from "../ui/lazy.ts";
import { t } from "../words.ts";
import { BackScreen, SignedOutBar, SignIn, Starting, useStart } from "./access.tsx";
import { followKeys, offer, tell } from "./commands.ts";
import { FaultBar, FaultBoundary, followFaults } from "./fault.tsx";
import { Header, mayWrite } from "./header.tsx";
import { followHelpKey, Help, helpOpen, ownShortcuts } from "./help.tsx";
import { HomeScreen } from "./home.tsx";
import { followInbox } from "./inbox.ts";
import { keepPages } from "./pages.ts";
import { followPaletteKey, Palette } from "./palette.tsx";
import { visited } from "./recent.ts";
import { followHeadings, useTitle } from "./title.ts";
import { Tree } from "./tree.tsx";

/** What is shown: the frame, or what comes before somebody has signed in. */
export function Shell() {
  const [fault, start] = useStart();
  const wasIn = useRef(false);
  useEffect(() => {
    start();
    followSession(place);
  }, []);
  if (session.value) wasIn.current = true;
  // A screen on which somebody was writing stays when the session ends.
  if (wasIn.current) return <Frame />;
  if (session.value === null) return <SignIn />;
  return <Starting fault={fault} onRetry={start} />;
}

/** The frame around every screen: the tree at the side, the screen beside it. */
function Frame() {
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    const ends = [
      keepPages(),
      followInbox(),
      followFaults(),
      followPaletteKey(),
      followHelpKey(),
      followKeys(),
      followHeadings(main.current!),
      tell(ownShortcuts),
      offer([
        { id: "new-page", title: t("newPage"), run: () => go({ name: "new", parent: null, proposal: null }), when: mayWrite },
        { id: "imports", title: t("importFiles"), run: () => go({ name: "imports", id: "" }), when: () => may("pages:write") },
        { id: "proposals", title: t("partProposals"), run: () => go({ name: "proposals" }), when: () => may("pages:propose") },
        { id: "inbox", title: t("partInbox"), run: () => go({ name: "inbox" }) },
        { id: "home", title: t("goHome"), run: () => go({ name: "home" }) },
        ...allowed().map((part) => ({ id: part, title: t("manageOf", t(parts[part].title)), run: () => go({ name: "admin", id: part }), when: () => allowed().includes(part) })),
        { id: "keys", title: t("keyboardHelp"), run: () => (helpOpen.value = true) },
      ]),
    ];
    return () => ends.forEach((end) => end());
  }, []);
  const at = screen.value;
  const [drawer, setDrawer] = useState(false);
  return (
    <div class="shell">
      <a class="skip" href="#screen" onClick={(e) => skip(e, main.current!)}>
        {t("skip")}
      </a>
      <Header inert={drawer}>
        <button type="button" class="button plain icon-only head-drawer" aria-label={t("openTree")} aria-expanded={drawer} aria-controls="side" onClick={() => setDrawer(true)}>
          <Icon name="menu" />
        </button>
      </Header>
      <div class="bars">
        {session.value === null && <SignedOutBar />}
        <FaultBar />
      </div>
      <Side open={drawer} onClose={() => setDrawer(false)} />
      <main class="screen" id="screen" ref={main} tabIndex={-1} inert={drawer}>
        <FaultBoundary at={addressOf(at)}>
          <Outlet />
        </FaultBoundary>
      </main>
      <Palette />
      <Help />
    </div>
  );
}

function skip(e: Event, main: HTMLElement): void {
  e.preventDefault();
  (main.querySelector<HTMLElement>("h1[tabindex]") ?? main).focus();
}

const narrow = matchMedia("(max-width: 50rem)");

/** The tree: beside the screen, or in a narrow window a drawer that somebody opens. */
function Side({ open, onClose }: { open: boolean; onClose: () => void }) {
  const side = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (!open) return;
    const before = document.activeElement as HTMLElement | null;
    side.current!.querySelector<HTMLElement>("button")!.focus();
    const end = new AbortController();
    const onKey = (e: KeyboardEvent) => e.key === "Escape" && !document.querySelector("dialog[open]") && onClose();
    addEventListener("keydown", onKey, { signal: end.signal });
    narrow.addEventListener("change", onClose, { signal: end.signal });
    return () => {
      end.abort();
      if (side.current?.contains(document.activeElement) || document.activeElement === document.body) before?.focus();
    };
  }, [open]);
  return (
    <>
      {open && <div class="scrim" onClick={onClose} />}
      <nav ref={side} id="side" class={open ? "side open" : "side"} aria-label={t("pages")}>
        <div class="side-close">
          <button type="button" class="button plain icon-only" aria-label={t("closeTree")} onClick={onClose}>
            <Icon name="close" />
          </button>
        </div>
        <Tree onChoose={onClose} />
      </nav>
    </>
  );
}

/** The screen at the address. */
function Outlet() {
  const at = screen.value;
  const id = at.name === "page" || at.name === "history" ? at.id : "";
  useEffect(() => void (id && visited(id)), [id]);
  if ((at.name === "proposal" || at.name === "proposals") && session.value && !may("pages:propose")) return <NoScreen title={t("notAllowedTitle")} what={t("notAllowed")} />;
  switch (at.name) {
    case "home":
      return <HomeScreen />;
    case "page":
    case "new": // which stays what it is when it becomes a page
      return <PageOf key={followed.value} at={at} />;
    case "history":
      return <Lazy key={at.id} load={() => import("../page/past.tsx").then((m) => m.Past)} id={at.id} />;
    case "proposal":
      return <Lazy key={at.id} load={() => import("../review/screen.tsx").then((m) => m.ProposalScreen)} id={at.id} />;
    case "proposals":
      return <Lazy key={at.name} load={() => import("../review/list.tsx").then((m) => m.ProposalsScreen)} id="" />;
    case "inbox":
      return <Lazy key={at.name} load={() => import("../review/inbox.tsx").then((m) => m.InboxScreen)} id="" />;
    case "admin":
      return <Lazy key={at.name} load={() => import("../admin/manage.tsx").then((m) => m.AdminScreen)} id={at.id} />;
    case "imports":
      return <Lazy key={at.id} load={() => import("../imports/screen.tsx").then((m) => m.ImportScreen)} id={at.id} />;
    case "back":
      return <BackScreen />;
    default:
      return <NoScreen title={t("noSuchScreen")} what={t("noSuchScreenWhat")} />;
  }
}

/** A page: to be written, or to be read alone, as was right when it was opened. */
function PageOf({ at }: { at: Screen & { name: "page" | "new" } }) {
  const [reads] = useState(() => !!session.peek() && !may("pages:propose"));
  if (!reads) return <PageScreen at={at} />;
  if (at.name === "new") return <NoScreen title={t("notAllowedTitle")} what={t("notAllowed")} />;
  return <Lazy load={() => import("../page/reading.tsx").then((m) => m.Reading)} id={at.id} />;
}

/** A screen of another bundle. Another screen has another key. */
function Lazy({ load, id }: { load: () => Promise<ComponentType<{ id: string }>>; id: string }) {
  const [fault, setFault] = useState<unknown>();
  const Loaded = useLazy(load, true, setFault);
  if (Loaded) return <Loaded id={id} />;
  return fault === undefined ? <p class="loading">{t("loading")}</p> : <Failed title={t("faultTitle")} problem={new Unreachable(String(fault))} retry={() => location.reload()} />;
}

function NoScreen({ title, what }: { title: string; what: string }) {
  useTitle(title);
  return (
    <div class="page-width">
      <h1>{title}</h1>
      <p>{what}</p>
      <p>
        <a class="button" href={addressOf({ name: "home" })}>
          {t("goHome")}
        </a>
      </p>
    </div>
  );
}
