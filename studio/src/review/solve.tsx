import { useEffect, useState } from "preact/hooks";
import type { Change, Revision } from "../api/types.ts";
import type { MemberConflict } from "../merge/members.tsx";
import { merge3 } from "../merge/merge3.ts";
import { MergeView } from "../merge/view.tsx";
import { useAct } from "../ui/act.ts";
import { ProblemNote } from "../ui/problem.tsx";
import { t } from "../words.ts";
import { newest, putChange, type Texts } from "./read.ts";
import { say } from "./say.ts";

interface Props {
  proposal: string;
  texts: Texts;
  onDone: () => void;
  onCancel: () => void;
}

const merged = ["title", "slug", "frontmatterRaw"] as const;

/** Makes one text of a change and of the page as it has become meanwhile. */
export function Solve({ proposal, texts, onDone, onCancel }: Props) {
  const [present, setPresent] = useState<Revision>();
  const act = useAct();
  const { change, before } = texts;
  useEffect(() => void act.run(async () => setPresent(await newest(change.pageId!))), []);
  if (!present) return act.fault !== undefined ? <ProblemNote problem={act.fault} /> : <p class="loading">{t("loading")}</p>;
  const { clean, members } = divide(before, change, present);
  return (
    <>
      {act.fault !== undefined && <ProblemNote problem={act.fault} />}
      <MergeView
        base={before?.content ?? ""}
        mine={change.content ?? before?.content ?? ""}
        theirs={present.content ?? ""}
        format="markdown"
        members={members}
        labels={{ mine: say("theProposal"), theirs: say("thePage") }}
        onCancel={onCancel}
        onResolve={(content, values) =>
          void act.run(() => putChange(proposal, texts, { ...clean, ...(values as Partial<Change>), content, baseRevision: present.number })).then((done) => done && onDone())
        }
      />
    </>
  );
}

/** The members that merge by themselves, and those that somebody has to decide on. */
function divide(before: Revision | undefined, change: Change, present: Revision): { clean: Partial<Change>; members: MemberConflict[] } {
  const clean: Partial<Change> = {};
  const members: MemberConflict[] = [];
  for (const member of merged) {
    const mine = change[member];
    if (mine === undefined) continue;
    const [base, theirs] = [before?.[member] ?? "", present[member] ?? ""];
    if (mine === theirs || theirs === base) continue; // the proposal's stands
    if (mine === base) clean[member] = theirs;
    else if (member !== "frontmatterRaw") members.push({ member, base, mine, theirs });
    else {
      const parts = merge3(base, mine, theirs);
      if (parts.some((p) => p.by === "clash")) members.push({ member, base, mine, theirs });
      else clean[member] = parts.map((p) => (p.by === "clash" ? "" : p.text)).join("");
    }
  }
  return { clean, members };
}
