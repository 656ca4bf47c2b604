import { useState } from "preact/hooks";
import { When } from "../history/when.tsx";
import { addressOf } from "../router.ts";
import { loadPages } from "../shell/pages.ts";
import { useAct } from "../ui/act.ts";
import { useList } from "../ui/list.ts";
import { ProblemNote } from "../ui/problem.tsx";
import { Table } from "../ui/table.tsx";
import { t } from "../words.ts";
import { Intro } from "./intro.tsx";
import { say } from "./say.ts";

interface Gone {
  id: string;
  title: string;
  slug: string;
  updatedAt: string;
}

/** Pages that were deleted, until they are purged. */
export function Deleted() {
  const list = useList<Gone>("/pages?deleted=true");
  const [back, setBack] = useState<Gone>();
  const act = useAct();
  const restore = (p: Gone) =>
    void act
      .run((post) => post(`/pages/${p.id}/restore`))
      .then((done) => {
        if (done) setBack(p);
        list.again();
        void loadPages();
      });
  return (
    <>
      <Intro what={say("deletedWhat")} />
      <p role="status">
        {back && (
          <>
            {say("restored")} <a href={addressOf({ name: "page", id: back.id })}>{back.title}</a>
          </>
        )}
      </p>
      {act.fault !== undefined && <ProblemNote problem={act.fault} />}
      <Table
        label={say("deleted")}
        none={say("noDeleted")}
        list={list}
        keyOf={(p) => p.id}
        columns={[
          { head: t("title"), cell: (p) => <bdi>{p.title}</bdi> },
          { head: say("slug"), cell: (p) => <code class="admin-line">{p.slug}</code> },
          { head: say("when"), cell: (p) => <When at={p.updatedAt} now={Date.now()} /> },
          {
            head: t("restore"),
            cell: (p) => (
              <button type="button" class="button" disabled={act.busy} onClick={() => restore(p)} aria-label={say("restoreOf", p.title)}>
                {t("restore")}
              </button>
            ),
          },
        ]}
      />
    </>
  );
}
