import { addressOf } from "../router.ts";
import { useList } from "../ui/list.ts";
import { Table } from "../ui/table.tsx";
import { Intro } from "./intro.tsx";
import { say } from "./say.ts";

interface Broken {
  pageId: string;
  title: string;
  slug: string;
  href: string;
  line?: number;
}

/** Links of the whole site that lead nowhere. */
export function Links() {
  const list = useList<Broken>("/links?state=broken");
  return (
    <>
      <Intro what={say("linksWhat")}>
        <button type="button" class="button" onClick={list.again}>
          {say("refresh")}
        </button>
      </Intro>
      <Table
        label={say("links")}
        none={say("noLinks")}
        list={list}
        keyOf={(b) => `${b.pageId} ${b.line} ${b.href}`}
        columns={[
          { head: say("page"), cell: (b) => <a href={addressOf({ name: "page", id: b.pageId })}>{b.title || b.slug}</a> },
          { head: say("line"), cell: (b) => b.line },
          { head: say("leadsTo"), cell: (b) => <code class="admin-line">{b.href}</code> },
        ]}
      />
    </>
  );
}
