import assert from "node:assert/strict";
import test from "node:test";
import { grouped, type Line } from "../src/imports/job.ts";

test("lines are grouped by what became of their files, what was lost first", () => {
  const line = (path: string, action: Line["action"]): Line => ({ path, action, notes: [] });
  const have = grouped([line("a", "created"), line("b", "skipped"), line("c", "created")]);
  assert.deepEqual(have.map(([kind, list]) => [kind, list.map((l) => l.path).join()]), [["skipped", "b"], ["created", "a,c"]]);
});
