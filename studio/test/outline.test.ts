import assert from "node:assert/strict";
import test from "node:test";
import type { TreePage } from "../src/api/types.ts";
import { ancestors, outlineOf, rowsOf, step, withLevel } from "../src/shell/outline.ts";

const page = (id: string, parentId: string | null, children = 0, title = id): TreePage => ({ id, title, slug: id, status: "published", parentId, children });

// a ─ b ─ c, d · e · f (whose pages have not come) · g
const pages = [page("a", null, 2), page("b", "a", 1), page("c", "b"), page("d", "a"), page("e", null), page("f", null, 1), page("g", null, 0, "Éa")];
const o = outlineOf(pages);

test("each page knows its level, its place and what lies below it", () => {
  assert.deepEqual([...o.level], [1, 2, 3, 2, 1, 1, 1]);
  assert.deepEqual([...o.end], [4, 3, 3, 4, 5, 6, 7]);
  assert.deepEqual([...o.place], [1, 1, 1, 2, 2, 3, 4]);
  assert.deepEqual([...o.siblings], [4, 2, 1, 2, 4, 4, 4]);
  assert.deepEqual(ancestors(o, "c"), ["b", "a"]);
  assert.deepEqual(ancestors(o, "none"), []);
  assert.deepEqual(outlineOf([]).at.size, 0);
});

test("a page is shown where all above it are open", () => {
  const ids = (...open: string[]) => rowsOf(o, new Set(open)).map((i) => pages[i]!.id).join("");
  assert.equal(ids(), "aefg");
  assert.equal(ids("a"), "abdefg");
  assert.equal(ids("b"), "aefg");
  assert.equal(ids("a", "b", "f"), "abcdefg");
});

test("a level that comes later keeps what is known below its pages", () => {
  const more = withLevel(pages, "a", [page("d", "a"), page("x", "a"), page("b", "a", 1)]);
  assert.equal(more.map((p) => p.id).join(""), "adxbcefg");
  assert.equal(withLevel(pages, "f", [page("h", "f")]).map((p) => p.id).join(""), "abcdefhg");
  assert.equal(withLevel(pages, "gone", [page("h", "gone")]).length, pages.length);
});

test("keys do what the pattern of trees says", () => {
  const open = new Set(["a"]);
  const rows = rowsOf(o, open); // a b d e f g
  const at = (row: number, key: string, typed = "") => step(o, rows, row, open, key, typed);
  assert.deepEqual(at(0, "ArrowDown"), { to: 1 });
  assert.deepEqual(at(5, "ArrowDown"), { to: 5 });
  assert.deepEqual(at(0, "ArrowUp"), { to: 0 });
  assert.deepEqual(at(3, "Home"), { to: 0 });
  assert.deepEqual(at(0, "End"), { to: 5 });
  assert.deepEqual(at(0, "ArrowRight"), { to: 1 });
  assert.deepEqual(at(1, "ArrowRight"), { open: ["b"] });
  assert.equal(at(3, "ArrowRight"), undefined);
  assert.deepEqual(at(0, "ArrowLeft"), { close: "a" });
  assert.deepEqual(at(2, "ArrowLeft"), { to: 0 });
  assert.equal(at(3, "ArrowLeft"), undefined);
  assert.deepEqual(at(1, "Enter"), { enter: 1 });
  assert.deepEqual(at(2, "*"), { open: ["b"] });
  assert.deepEqual(at(3, "*"), { open: ["a", "f"] });
  assert.deepEqual(at(0, "f", "f"), { to: 4 });
  assert.deepEqual(at(4, "a", "a"), { to: 0 });
  assert.equal(at(0, "z", "z"), undefined);
  assert.equal(step(o, [], 0, open, "End", ""), undefined);
});

test("a page that was open and is still to be loaded has nothing to go into", () => {
  const open = new Set(["f"]);
  assert.equal(step(o, rowsOf(o, open), 2, open, "ArrowRight", ""), undefined);
});
