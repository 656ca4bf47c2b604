import { useEffect, useMemo, useState } from "preact/hooks";
import type { Page, Revision } from "../api/types.ts";
import type { Draft } from "../draft/draft.ts";
import type { Work } from "../draft/work.ts";
import { formatOf } from "../editor/format.ts";
import { merge3 } from "../merge/merge3.ts";
import { MergeView } from "../merge/view.tsx";
import { client } from "../session.ts";
import { ProblemNote } from "../ui/problem.tsx";
import { t } from "../words.ts";

interface Versions {
  base: Work;
  mine: Work;
  theirs: Work;
}

/** Makes one page of what was written here and what was written elsewhere. */
export function Resolve({ draft, onEnd }: { draft: Draft; onEnd: () => void }) {
  const conflict = draft.conflict.value!;
  const [versions, setVersions] = useState<Versions>();
  const [fault, setFault] = useState<unknown>();
  useEffect(() => {
    draft.take(); // what was typed while the conflict stood is mine, too
    const mine = draft.work.peek();
    const ended = new AbortController();
    withFront({ ...conflict, mine }, draft.live.peek(), conflict.revision, ended.signal).then(setVersions, (e: unknown) => ended.signal.aborted || setFault(e));
    return () => ended.abort();
  }, [conflict]);
  if (fault) return <ProblemNote problem={fault} />;
  if (!versions) return <p class="loading">{t("loading")}</p>;
  return <Merging key={versions.mine.content + versions.theirs.content} {...versions} draft={draft} onEnd={onEnd} />;
}

/** Adds the text of the front matter, which is known only of who has edited it. */
async function withFront({ base, mine, theirs }: Versions, live: Page | null, revision: number | undefined, signal: AbortSignal): Promise<Versions> {
  if (!live || mine.frontmatterRaw === undefined) return { base, mine, theirs };
  const read = async (path: string) => (await client.call<Page | Revision>(`${path}?include=frontmatterRaw`, { signal })).data.frontmatterRaw ?? "";
  const page = `/pages/${live.id}`;
  const present = theirs.frontmatterRaw ?? (await read(page));
  const before = base.frontmatterRaw ?? (revision === undefined ? present : await read(`${page}/revisions/${revision}`));
  const parts = merge3(before, mine.frontmatterRaw, present);
  if (parts.some((p) => p.by === "clash")) return { base: { ...base, frontmatterRaw: before }, mine, theirs: { ...theirs, frontmatterRaw: present } };
  const both = parts.map((p) => (p.by === "clash" ? "" : p.text)).join("");
  return { base, mine: { ...mine, frontmatterRaw: both }, theirs };
}

function Merging({ base, mine, theirs, draft, onEnd }: Versions & { draft: Draft; onEnd: () => void }) {
  const names = useMemo(() => (Object.keys(mine) as (keyof Work)[]).filter((m) => m !== "content"), []);
  const members = names.filter((m) => mine[m] !== theirs[m] && mine[m] !== base[m] && theirs[m] !== base[m]);
  const live = draft.live.value;
  return (
    <MergeView
      base={base.content}
      mine={mine.content}
      theirs={theirs.content}
      format={formatOf(mine.content, live?.source, live?.frontmatter?.["format"], mine.dialect)}
      members={members.map((member) => ({ member, base: base[member], mine: mine[member], theirs: theirs[member] }))}
      onCancel={onEnd}
      onResolve={(content, values) => {
        const clean = names.filter((m) => !members.includes(m)).map((m) => [m, mine[m] === base[m] ? theirs[m] : mine[m]]);
        draft.resolve({ ...mine, ...(Object.fromEntries(clean) as Partial<Work>), ...(values as Partial<Work>), content });
        onEnd();
      }}
    />
  );
}
