import assert from "node:assert/strict";
import test from "node:test";
import { grouped, type Line } from "../src/imports/job.ts";
import * as words from "../src/words/import.ts";

test("lines are grouped by what became of their files, what was lost first", () => {
  const line = (path: string, action: Line["action"]): Line => ({ path, action, notes: [] });
  const have = grouped([line("a", "created"), line("b", "skipped"), line("c", "created")]);
  assert.deepEqual(have.map(([kind, list]) => [kind, list.map((l) => l.path).join()]), [["skipped", "b"], ["created", "a,c"]]);
});

test("the words of imports are there in every language", () => {
  for (const [word, text] of Object.entries(words.de)) {
    const holes = (s: string) => (s.match(/\{\d\}/g) ?? []).sort().join();
    assert.equal(holes(text), holes(words.en[word as keyof typeof words.en]), word);
  }
});
