import assert from "node:assert/strict";
import test from "node:test";
import { areas, chosen, en, t } from "../src/words.ts";
import { en as admin } from "../src/words/admin.ts";
import { areas as german } from "../src/words/de.ts";
import { en as review } from "../src/words/review.ts";
import { en as tools } from "../src/words/tools.ts";

test("what is said without a browser is English", () => {
  assert.equal(t("newPage"), "New page");
  assert.equal(t("welcome", "<Ann> {0}"), "Welcome, <Ann> {0}");
});

test("the language is one that there is a table for", () => {
  assert.equal(chosen(["fr", "de-AT", "en"]), "de");
  assert.equal(chosen(["fr"]), "en");
  assert.equal(chosen([]), "en");
});

test("every language says everything, with the same arguments", () => {
  for (const [first, table] of [[en, german.shell], [admin, german.admin], [review, german.review], [tools, german.tools]] as [Record<string, string>, Record<string, string>][]) {
    assert.deepEqual(Object.keys(table).sort(), Object.keys(first).sort());
    for (const [word, text] of Object.entries(table)) {
      const holes = (s: string) => (s.match(/\{\d\}/g) ?? []).sort().join();
      assert.notEqual(text.trim(), "", word);
      assert.notEqual(first[word]!.trim(), "", word);
      assert.equal(holes(text), holes(first[word]!), word);
    }
  }
});

test("no two areas have the same word", () => {
  const all = areas.flatMap((a) => Object.keys(a.en));
  assert.equal(new Set(all).size, all.length);
  assert.equal(all.length, Object.keys(en).length);
});
