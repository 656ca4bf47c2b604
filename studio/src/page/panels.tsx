import { useEffect, useState } from "preact/hooks";
import type { Problem } from "../api/client.ts";
import type { Page } from "../api/types.ts";
import type { Draft } from "../draft/draft.ts";
import type { Work } from "../draft/work.ts";
import { Details } from "../matter/details.tsx";
import { client, may } from "../session.ts";
import { pages } from "../shell/pages.ts";
import { useLazy } from "../ui/lazy.ts";
import { ProblemNote } from "../ui/problem.tsx";
import { t } from "../words.ts";

interface Props {
  draft: Draft;
  problem: Problem | null;
  onChange: (part: Partial<Work>) => void;
}

/** Where the page is and when it changes by itself, and deleting it. */
export function DetailsPanel({ draft, problem, onChange, onDelete }: Props & { onDelete: (children?: "cascade" | "reparent") => void }) {
  const live = draft.live.value;
  return (
    <Details
      id={live?.id ?? null}
      work={draft.work.value}
      {...(live && { liveSlug: live.slug })}
      tree={pages.value}
      problem={problem}
      canWrite={may("pages:write")}
      now={Date.now()}
      onChange={onChange}
      onDelete={onDelete}
    />
  );
}

/** The front matter. Its bytes are read when somebody looks at it first. */
export function MatterPanel({ draft, problem, eol, onChange }: Props & { eol: "\n" | "\r\n" }) {
  const Matter = useLazy(() => import("../matter/panel.tsx").then((m) => m.Matter));
  const live = draft.live.value;
  const [kept, setKept] = useState(live ? undefined : "");
  const [fault, setFault] = useState<unknown>();
  useEffect(() => {
    if (!live) return;
    const ended = new AbortController();
    client.call<Page>(`/pages/${live.id}?include=frontmatterRaw`, { signal: ended.signal }).then(
      (a) => setKept(a.data.frontmatterRaw ?? ""),
      (e: unknown) => ended.signal.aborted || setFault(e),
    );
    return () => ended.abort();
  }, [live]);
  if (fault) return <ProblemNote problem={fault} />;
  const raw = draft.work.value.frontmatterRaw ?? kept;
  if (!Matter || raw === undefined) return <p class="muted">{t("loading")}</p>;
  return <Matter raw={raw} eol={eol} problem={problem} onChange={(frontmatterRaw) => onChange({ frontmatterRaw })} />;
}
