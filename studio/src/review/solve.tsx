import { useEffect, useState } from "preact/hooks";
import type { Page, Revision } from "../api/types.ts";
import { MergeView } from "../merge/view.tsx";
import { client } from "../session.ts";
import { useAct } from "../ui/act.ts";
import { useGuard } from "../ui/guard.ts";
import { ProblemNote } from "../ui/problem.tsx";
import { t } from "../words.ts";
import { divide, joined } from "./divide.ts";
import { newest, putChange, type Texts } from "./read.ts";
import { say } from "./say.ts";

interface Props {
  proposal: string;
  texts: Texts;
  onDone: () => void;
  onCancel: () => void;
}

/** Makes one text of a change and of the page as it has become meanwhile. */
export function Solve({ proposal, texts, onDone, onCancel }: Props) {
  const [present, setPresent] = useState<{ revision: Revision; live: Page }>();
  const act = useAct();
  useGuard(present !== undefined);
  const { change, before } = texts;
  useEffect(() => void act.run(async () => setPresent({ revision: await newest(change.pageId!), live: (await client.call<Page>(`/pages/${change.pageId}`)).data })), []);
  if (!present) return act.fault !== undefined ? <ProblemNote problem={act.fault} /> : <p class="loading">{t("loading")}</p>;
  const divided = divide(before, change, present.revision, present.live);
  return (
    <>
      {act.fault !== undefined && <ProblemNote problem={act.fault} />}
      <MergeView
        base={before?.content ?? ""}
        mine={change.content ?? before?.content ?? ""}
        theirs={present.revision.content ?? ""}
        format="markdown"
        members={divided.members}
        labels={{ mine: say("theProposal"), theirs: say("thePage") }}
        onCancel={onCancel}
        onResolve={(content, values) =>
          void act.run(() => putChange(proposal, texts, { ...joined(divided, values), content, baseRevision: present.revision.number })).then((done) => done && onDone())
        }
      />
    </>
  );
}
