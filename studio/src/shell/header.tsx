import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { addressOf } from "../router.ts";
import { known, may, place } from "../session.ts";
import { Icon } from "../ui/icon.tsx";
import { Menu } from "../ui/menu.tsx";
import { ProblemNote } from "../ui/problem.tsx";
import { t } from "../words.ts";
import { leave } from "./access.tsx";
import { spelled } from "./commands.ts";
import { helpOpen } from "./help.tsx";
import { unread } from "./inbox.ts";
import { paletteOpen } from "./palette.tsx";
import { theme, themes, type Theme } from "./theme.ts";

const named = { light: "themeLight", dark: "themeDark", system: "themeSystem" } as const;
const drawn = { light: "sun", dark: "moon", system: "screen" } as const;

export const mayWrite = () => may("pages:propose") || may("pages:write");

export const newPage = () => addressOf({ name: "new", parent: null, proposal: null });

export function Header({ inert, children }: { inert: boolean; children: ComponentChildren }) {
  const [fault, setFault] = useState<unknown>();
  const name = known.value?.name ?? "";
  const out = () => {
    setFault(undefined);
    leave().catch(setFault);
  };
  return (
    <header class="head" inert={inert}>
      {children}
      <a class="head-name" href={addressOf({ name: "home" })}>
        {t("product")}
      </a>
      <button type="button" class="head-search" aria-haspopup="dialog" onClick={() => (paletteOpen.value = true)}>
        <Icon name="search" />
        <span class="head-search-text">{t("searchOrRun")}</span>
        <kbd>{spelled("Mod+K")}</kbd>
      </button>
      {mayWrite() && (
        <a class="button primary head-new" href={newPage()}>
          <Icon name="plus" />
          <span>{t("newPage")}</span>
        </a>
      )}
      <a class="button plain icon-only head-inbox" href={addressOf({ name: "inbox" })} aria-label={unread.value > 0 ? t("inboxUnread", unread.value) : t("partInbox")} title={t("partInbox")}>
        <Icon name="bell" />
        {unread.value > 0 && <span class="head-count" aria-hidden="true">{Math.min(unread.value, 99)}</span>}
      </a>
      <Menu
        label={t("theme", t(named[theme.value]))}
        icon={drawn[theme.value]}
        items={themes.map((name: Theme) => ({ label: t(named[name]), icon: drawn[name], checked: theme.value === name, run: () => (theme.value = name) }))}
      />
      <Menu
        label={t("account", name)}
        note={name}
        icon="person"
        items={[
          ...(may("pages:propose") ? [{ label: t("partProposals"), icon: "split" as const, href: addressOf({ name: "proposals" }) }] : []),
          ...(mayWrite() ? [{ label: t("manage"), icon: "settings" as const, href: addressOf({ name: "admin", id: "" }) }] : []),
          { label: t("keyboardHelp"), icon: "keyboard", run: () => (helpOpen.value = true) },
          { label: t("accountPage"), icon: "person", href: `${place.root}/account` },
          ...(place.site ? [{ label: t("readSite"), icon: "eye" as const, href: place.site }] : []),
          { label: t("signOut"), icon: "leave", run: out },
        ]}
      />
      {fault !== undefined && (
        <div class="head-fault">
          <ProblemNote problem={fault} retry={out} />
        </div>
      )}
    </header>
  );
}
