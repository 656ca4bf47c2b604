import assert from "node:assert/strict";
import test from "node:test";
import { headings } from "../src/page/headings.ts";
import { outlineOf } from "../src/shell/outline.ts";
import { fits, standing, stepOf, tops } from "../src/shell/places.ts";

const page = (id: string, parentId: string | null, children = 0) => ({ id, title: id, slug: id, status: "published" as const, parentId, children });
const o = outlineOf([page("a", null, 2), page("b", "a"), page("c", "a", 1), page("d", "c"), page("e", null)]);

test("what lies below something chosen goes with it", () => {
  assert.deepEqual(tops(o, ["d", "c", "e", "gone"]).map((i) => o.pages[i]!.id), ["c", "e"]);
});

test("a page comes back to where it stood", () => {
  assert.deepEqual(standing(o, 1), { parentId: "a", before: "c" });
  assert.deepEqual(standing(o, 2), { parentId: "a" });
  assert.deepEqual(standing(o, 0), { parentId: null, before: "e" });
});

test("nothing goes below itself", () => {
  assert.equal(fits(o, ["a"], { parentId: "d" }), false);
  assert.equal(fits(o, ["b"], { parentId: "a", before: "b" }), false);
  assert.equal(fits(o, ["b"], { parentId: "d" }), true);
  assert.equal(fits(o, ["b"], { parentId: null }), true);
});

test("Alt and an arrow", () => {
  assert.deepEqual(stepOf(o, 2, "ArrowUp"), { parentId: "a", before: "b" });
  assert.deepEqual(stepOf(o, 1, "ArrowDown"), { parentId: "a", after: "c" });
  assert.deepEqual(stepOf(o, 2, "ArrowRight"), { parentId: "b" });
  assert.deepEqual(stepOf(o, 3, "ArrowLeft"), { parentId: "a", after: "c" });
  assert.equal(stepOf(o, 0, "ArrowUp"), undefined);
  assert.equal(stepOf(o, 2, "ArrowDown"), undefined);
});

test("a page is split at its headings, and not in code", () => {
  assert.deepEqual(headings("# Name\n\n## One ##\n```\n# no\n```\n### Two\n").map((h) => h.text), ["One", "Two"]);
});
