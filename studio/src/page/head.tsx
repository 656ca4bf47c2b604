import { useState } from "preact/hooks";
import type { Draft } from "../draft/draft.ts";
import { addressOf } from "../router.ts";
import { may, place } from "../session.ts";
import { usePresence } from "../shell/presence.tsx";
import { Icon } from "../ui/icon.tsx";
import { Menu } from "../ui/menu.tsx";
import { language, t } from "../words.ts";
import { type Action, actionsOf, enabled } from "./actions.ts";
import { headings } from "./headings.ts";
import { type Kind, Refactor } from "./refactor.tsx";
import { Saving } from "./saving.tsx";

const kinds: Kind[] = ["rename", "split", "join"];

interface Props {
  draft: Draft;
  busy: boolean;
  onTitle: (title: string) => void;
  onAction: (a: Action) => void;
}

/** The title, the state of saving, and what can be done with the page. */
export function Head({ draft, busy, onTitle, onAction }: Props) {
  const [title, setTitle] = useState(draft.work.value.title);
  const known = draft.shown.value.title;
  // Another title came from elsewhere, such as a merge.
  const [last, setLast] = useState(known);
  if (known !== last) {
    setLast(known);
    setTitle(known);
  }
  const live = draft.live.value;
  const [refactor, setRefactor] = useState<Kind>();
  const others = usePresence(live ? { pageId: live.id } : undefined);
  const standing = { live: live?.status ?? null, dirty: draft.dirty.value, mayWrite: may("pages:write") };
  const { buttons, menu } = actionsOf(standing);
  const more = [
    ...menu.map((a) => ({ label: t(a), run: () => onAction(a) })),
    ...(live && may("pages:propose") ? kinds.filter((k) => k !== "split" || headings(live.content).length > 0).map((k) => ({ label: t(`${k}Page`), run: () => setRefactor(k) })) : []),
    ...(live?.status === "published" && place.site ? [{ label: t("seeLive"), href: `${place.site}/${live.slug}` }] : []),
  ];
  return (
    <header class="page-head">
      <h1 class="visually-hidden">{title || t("untitled")}</h1>
      <input
        class="page-title"
        aria-label={t("title")}
        placeholder={t("titleHint")}
        value={title}
        maxLength={120}
        onInput={(e) => {
          setTitle(e.currentTarget.value);
          onTitle(e.currentTarget.value);
        }}
      />
      <Saving draft={draft} />
      <span class="row">
        {buttons.map((a, i) => {
          const off = busy || !enabled(a, standing); // and keeps the focus
          return (
            <button key={a} class={`button ${i === 0 ? "primary" : ""}`} aria-disabled={off} onClick={() => off || onAction(a)}>
              {t(a)}
            </button>
          );
        })}
        {live && (
          <a class="button plain" href={addressOf({ name: "history", id: live.id })}>
            <Icon name="history" /> {t("history")}
          </a>
        )}
        {more.length > 0 && <Menu label={t("more")} icon="more" items={more} />}
      </span>
      {others.length > 0 && <p class="standing small warn-text">{t("alsoHere", others.join(", "))}</p>}
      {refactor && live && <Refactor kind={refactor} page={live} onClose={() => setRefactor(undefined)} />}
      <p class="standing small muted">
        <span class={`badge ${live?.status === "published" ? "ok" : "draft"}`}>{t(live ? statusWord[live.status] : "liveNew")}</span> {standingWords(draft)}
      </p>
    </header>
  );
}

const statusWord = { published: "livePublished", draft: "liveDraft", archived: "liveArchived" } as const;

/** What is live beside what is drafted. */
function standingWords(draft: Draft): string {
  const live = draft.live.value;
  const when = (iso: string) => new Date(iso).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });
  if (!live) return t("newLong");
  const words = {
    published: t("publishedLong", when(live.updatedAt)),
    draft: live.publishAt ? t("scheduledLong", when(live.publishAt)) : t("draftLong"),
    archived: t("archivedLong"),
  }[live.status];
  if (!draft.dirty.value) return `${words} ${t("unchanged")}`;
  return `${words} ${live.status === "published" ? t("changed") : t("changedDraft")}`;
}
