import { useList } from "../ui/list.ts";
import { Table } from "../ui/table.tsx";
import { language } from "../words.ts";
import { Intro } from "./intro.tsx";
import { say } from "./say.ts";

interface Query {
  query: string;
  count: number;
  results: number;
  lastDay: string;
}

/** What readers searched for, above all what was not found. */
export function Queries() {
  const list = useList<Query>("/search/queries");
  const day = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" });
  return (
    <>
      <Intro what={say("queriesWhat")} />
      <Table
        label={say("queries")}
        none={say("noQueries")}
        list={list}
        keyOf={(q) => q.query}
        columns={[
          { head: say("query"), cell: (q) => <bdi>{q.query}</bdi> },
          { head: say("times"), cell: (q) => q.count },
          { head: say("results"), cell: (q) => (q.results === 0 ? <span class="badge warn">{say("none")}</span> : q.results) },
          { head: say("lastDay"), cell: (q) => day.format(new Date(q.lastDay)) },
        ]}
      />
    </>
  );
}
