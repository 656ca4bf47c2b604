import assert from "node:assert/strict";
import test from "node:test";
import type { TreePage } from "../src/api/types.ts";
import { outlineOf } from "../src/shell/outline.ts";
import { filtered, fold, passage, ranked } from "../src/shell/rank.ts";

const page = (title: string, slug = "", parentId: string | null = null): TreePage => ({ id: title, title, slug, status: "published", parentId, children: 0 });
const titles = (query: string, ...all: string[]) => ranked(all.map((t) => page(t)), query, 10).map((p) => p.title);

test("case and accents do not matter", () => {
  assert.equal(fold("Überprüfung der Straße"), "uberprufung der strasse");
  assert.equal(fold("Ｆull ﬁle"), "full file");
});

test("beginnings come before words, words before parts, parts before letters", () => {
  assert.deepEqual(titles("in", "Main", "Plug in", "Install", "In"), ["In", "Install", "Plug in", "Main"]);
  assert.deepEqual(titles("gst", "Getting started", "Guest", "Along"), ["Getting started", "Guest"]);
  assert.deepEqual(titles("started getting", "Getting started", "Started"), ["Getting started"]);
  assert.deepEqual(titles("uber", "Über uns", "Aubergine"), ["Über uns", "Aubergine"]);
  assert.deepEqual(titles(" ", "a"), []);
  assert.deepEqual(titles("a\\.(", "a\\.(b"), ["a\\.(b"]);
});

test("a slug finds its page as well", () => {
  assert.deepEqual(ranked([page("Start", "getting-started"), page("Ends")], "getting-s", 5).map((p) => p.title), ["Start"]);
});

test("a tree that is narrowed keeps what its pages lie below", () => {
  const o = outlineOf([page("Guide"), page("Größe", "size", "Guide"), page("Other", "", "Guide"), page("Last")]);
  assert.deepEqual(filtered(o, "grosse"), { rows: [0, 1], found: 1 });
  assert.deepEqual(filtered(o, "SIZE"), { rows: [0, 1], found: 1 });
  assert.deepEqual(filtered(o, "nothing"), { rows: [], found: 0 });
  assert.equal(filtered(o, "").found, 4);
});

test("a passage of a search becomes text", () => {
  assert.deepEqual(passage("a &lt;b&gt; <mark>c &amp; d</mark> &amp;lt;"), [
    { text: "a <b> ", marked: false },
    { text: "c & d", marked: true },
    { text: " &lt;", marked: false },
  ]);
});
