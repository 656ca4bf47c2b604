import assert from "node:assert/strict";
import test from "node:test";
import { grouped, type Line } from "../src/imports/job.ts";

test("lines are grouped by what became of their files, what was lost first", () => {
  const line = (path: string, action: Line["action"], ...notes: Line["notes"]): Line => ({ path, action, notes });
  const both = { line: 1, message: "both", here: "a", file: "b" };
  const have = grouped([line("a", "created"), line("b", "skipped"), line("c", "created"), line("d", "unchanged", both)]);
  assert.deepEqual(have.map(([kind, list]) => [kind, list.map((l) => l.path).join()]), [["kept", "d"], ["skipped", "b"], ["created", "a,c"], ["unchanged", "d"]]);
});
