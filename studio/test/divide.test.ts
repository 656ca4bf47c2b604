import assert from "node:assert/strict";
import test from "node:test";
import type { Change, Revision } from "../src/api/types.ts";
import { divide, joined } from "../src/review/divide.ts";
import { tagsOf } from "../src/shell/tags.ts";

const revision = (more: Partial<Revision>): Revision => ({ number: 1, title: "Tea", slug: "tea", author: { id: "u", name: "Ann" }, createdAt: "", ...more });
const change = (more: Partial<Change>): Change => ({ id: "chg_1", op: "update", ...more });
const live = { status: "published" as const, parentId: null };

test("keys of the front matter that only one side changed are kept, the others are asked for", () => {
  const d = divide(revision({ frontmatter: { level: 1, keep: "a" } }), change({ frontmatter: { level: 2, keep: "a" } }), revision({ frontmatter: { level: 3, keep: "b" } }), live);
  assert.deepEqual(d.members, [{ member: "frontmatter.level", base: 1, mine: 2, theirs: 3 }]);
  assert.deepEqual(joined(d, { "frontmatter.level": 2 }).frontmatter, { level: 2, keep: "b" });
});

test("members that the page changed alone are those of the page", () => {
  const d = divide(revision({}), change({ title: "Tea", slug: "hot", base: { version: 1, revision: 1, status: "draft", parentId: null }, status: "draft" }), revision({ title: "Green tea" }), live);
  assert.deepEqual(d.members, []);
  assert.deepEqual(joined(d, {}), { title: "Green tea", slug: "hot", status: "published" });
});

test("a status that both changed is asked for", () => {
  const base = { version: 1, revision: 1, status: "draft" as const, parentId: null };
  assert.equal(divide(revision({}), change({ base, status: "archived" }), revision({}), live).members[0]?.member, "status");
});

test("tags are read as the server reads them", () => {
  const names = (front: Record<string, unknown>) => [tagsOf(front).key, ...tagsOf(front).tags.map((tag) => tag.name)];
  assert.deepEqual(names({ tags: "alone" }), ["tags", "alone"]);
  assert.deepEqual(names({ Tags: ["a", 2, { label: "c" }] }), ["Tags", "a", "2", "c"]);
  assert.deepEqual(names({ tags: "a, b" }), ["tags", "a", "b"]);
  assert.deepEqual(names({}), ["tags"]);
  for (const list of [["a", { label: "c", permalink: "/c" }, { other: 1 }], [{ a: 1 }]]) assert.deepEqual(tagsOf({ tags: list }).tags.map((tag) => tag.as), list, "what is written stays");
  assert.deepEqual(tagsOf({ tags: { a: 1 } }).tags, [{ name: "", as: { a: 1 } }]);
});
