import type { Draft } from "../draft/draft.ts";
import type { Work } from "../draft/work.ts";
import { MergeView } from "../merge/view.tsx";
import { formatOf } from "./format.ts";

/** Makes one page of what was written here and what was written elsewhere. */
export function Resolve({ draft, onEnd }: { draft: Draft; onEnd: () => void }) {
  const { base, mine, theirs } = draft.conflict.value!;
  const names = (Object.keys(mine) as (keyof Work)[]).filter((m) => m !== "content");
  const members = names.filter((m) => mine[m] !== theirs[m] && mine[m] !== base[m] && theirs[m] !== base[m]);
  return (
    <MergeView
      key={mine.content + theirs.content}
      base={base.content}
      mine={mine.content}
      theirs={theirs.content}
      format={formatOf(draft.live.value)}
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
