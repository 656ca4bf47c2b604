import assert from "node:assert/strict";
import test from "node:test";
import type { TreePage } from "../src/api/types.ts";
import { below, fromField, parents, saidOf, slugFault, toField } from "../src/matter/facts.ts";

const page = (id: string, parentId: string | null, title = id): TreePage => ({ id, title, slug: id.toLowerCase(), status: "draft", parentId, children: 0 });
const tree = [page("A", null, "Guide"), page("B", "A", "First steps"), page("C", "B", "Install"), page("D", "A", "More"), page("E", null, "Steps")];

test("slugs", () => {
  for (const [slug, want] of [["a", undefined], ["a-b-1", undefined], ["", "matterSlugEmpty"], ["A", "matterSlugForm"], ["-a", "matterSlugForm"], ["a--b", "matterSlugForm"], ["a\n", "matterSlugForm"], ["a".repeat(513), "matterSlugLong"]] as const)
    assert.equal(slugFault(slug), want, slug);
});

test("a page stands neither below itself nor below what is below it", () => {
  assert.deepEqual([...below(tree, "A")], ["B", "C", "D"]);
  assert.deepEqual(parents(tree, "B", "", 9).shown.map((c) => c.id), ["A", "D", "E"]);
  assert.deepEqual(parents(tree, null, "STEPS", 9).shown, [{ id: "E", title: "Steps", path: "" }, { id: "B", title: "First steps", path: "Guide" }]);
  assert.deepEqual(parents(tree, null, "", 2), { shown: parents(tree, null, "", 9).shown.slice(0, 2), more: 3 });
});

test("a time is that of the browser", () => {
  assert.equal(fromField(toField("2026-07-01T12:34:00.000Z")), "2026-07-01T12:34:00.000Z");
  assert.equal(toField(new Date(2026, 0, 2, 3, 4).toISOString()), "2026-01-02T03:04");
  assert.deepEqual([toField(null), fromField(""), fromField("x")], ["", null, null]);
});

test("what the server says stands at its field", () => {
  const body = { type: "/problems/x", title: "x", status: 400, errors: [{ path: "/changes/0/slug", message: "must be" }, { path: "/title", message: "no" }] };
  assert.equal(saidOf(body as never, "slug"), "must be");
  assert.equal(saidOf(body as never, "parentId"), "");
  assert.equal(saidOf({ type: "/problems/slug-taken", title: "x", status: 409, conflicts: [{ changeId: "c", kind: "slug-taken", message: "taken" }] }, "slug"), "taken");
  assert.equal(saidOf(undefined, "slug"), "");
});
