import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { types } from "../src/admin/events.ts";

test("a webhook can be told of whatever the server tells", () => {
  const source = readFileSync(new URL("../../event.go", import.meta.url), "utf8"); // of a bundle in .cache/studio-tests
  const known = [...source.matchAll(/EventType = "([a-z.]+)"/g)].map((m) => m[1]).filter((type) => type !== "webhook.test"); // which is for whoever tests
  assert.ok(known.length > 20, String(known));
  assert.deepEqual(types.toSorted(), known.toSorted());
});
