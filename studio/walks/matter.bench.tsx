// The front matter and the details of a page, with nothing else of Studio, for their walk.
import { signal } from "@preact/signals";
import { render } from "preact";
import { Problem } from "../src/api/client.ts";
import type { TreePage } from "../src/api/types.ts";
import { DeletedPage } from "../src/matter/delete.tsx";
import { Details, type Facts } from "../src/matter/details.tsx";
import type { Fault } from "../src/matter/matter.ts";
import { Matter } from "../src/matter/panel.tsx";

const page = (id: string, parentId: string | null, title: string): TreePage => ({ id, title, slug: id, status: "published", parentId, children: 0 });
const tree = [page("guide", null, "Guide"), page("tea", "guide", "Brewing tea"), page("green", "tea", "Green tea"), page("black", "tea", "Black tea <b>"), page("coffee", "guide", "Coffee"), page("last", null, "Appendix")];

const bench = {
  raw: signal(""),
  fault: signal<Fault | undefined>(undefined),
  work: signal<Facts>({ slug: "tea", status: "draft", parentId: "guide", publishAt: null, unpublishAt: null, dialect: null }),
  problem: signal<Problem | null>(null),
  said: [] as unknown[],
  refuse: (path: string, message: string) => (bench.problem.value = new Problem({ type: "/problems/invalid-request", title: "No", status: 400, errors: [{ path, message }] as never })),
};
Object.assign(globalThis, { bench });

function Bench() {
  return (
    <main class="bench">
      <h1>Bench</h1>
      <section class="side-panel" aria-label="Matter">
        <Matter raw={bench.raw.value} problem={bench.problem.value} onChange={(raw, fault) => ((bench.raw.value = raw), (bench.fault.value = fault))} />
      </section>
      <section class="side-panel" aria-label="Details">
        <Details
          id="tea"
          work={bench.work.value}
          liveSlug="tea"
          tree={tree}
          problem={bench.problem.value}
          canWrite
          now={Date.parse("2026-06-01T00:00:00Z")}
          onChange={(part) => (bench.work.value = { ...bench.work.value, ...part })}
          onDelete={(children) => bench.said.push(["delete", children])}
        />
        <DeletedPage below={2} onRestore={(all) => bench.said.push(["restore", all])} />
      </section>
    </main>
  );
}

document.documentElement.dataset["theme"] = new URLSearchParams(location.search).get("theme") ?? "light";
document.body.replaceChildren();
render(<Bench />, document.body);
