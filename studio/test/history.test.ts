import assert from "node:assert/strict";
import test from "node:test";
import { fieldChanges, markBlocks } from "../src/history/compare.ts";
import { ago } from "../src/history/when.tsx";

test("blocks are compared by what they show", () => {
  const p = (text: string, line: number) => `<div data-line="${line}"><p>${text}</p></div>`;
  assert.deepEqual(markBlocks([p("a", 1), p("b", 3)], [p("a", 1), p("new", 3), p("b", 5)]), {
    a: ["", ""],
    b: ["", "added", ""],
  });
  assert.deepEqual(markBlocks([p("a", 1), p("b", 3), p("c", 5)], [p("a", 1), p("B", 3)]), {
    a: ["", "changed", "removed"],
    b: ["", "changed"],
  });
  assert.deepEqual(markBlocks([], []), { a: [], b: [] });
});

test("properties that differ", () => {
  const a = { title: "A", slug: "a", frontmatter: { title: "A", tags: ["x"], old: 1, same: { k: 1 } } };
  const b = { title: "B", slug: "a", frontmatter: { title: "B", tags: ["x", "y"], same: { k: 1 } } };
  assert.deepEqual(fieldChanges(a, b), [
    { member: "title", a: "A", b: "B" },
    { member: "tags", a: ["x"], b: ["x", "y"] },
    { member: "old", a: 1, b: undefined },
  ]);
  assert.deepEqual(fieldChanges(a, { title: "A" }).map((c) => c.member), ["tags", "old", "same"]);
});

test("times in words", () => {
  const now = Date.UTC(2026, 0, 2, 12);
  for (const [then, want] of [
    [now, "now"],
    [now - 59_000, "59 seconds ago"],
    [now - 3_600_000, "1 hour ago"],
    [now - 86_400_000, "yesterday"],
    [now - 400 * 86_400_000, "last year"],
  ] as const) {
    assert.equal(ago(then, now, "en"), want);
  }
  assert.equal(ago(now - 120_000, now, "de"), "vor 2 Minuten");
});
