import assert from "node:assert/strict";
import test from "node:test";
import { Client } from "../src/api/client.ts";

test("a list is read to its end", async () => {
  const asked: string[] = [];
  const slices: Record<string, unknown> = {
    "/api/pages?limit=2": { data: [1, 2], pagination: { cursor: "a/b", limit: 2, hasMore: true } },
    "/api/pages?limit=2&cursor=a%2Fb": { data: [3], pagination: { limit: 2, hasMore: false } },
  };
  const client = new Client("/api", async () => "token", async (at) => {
    asked.push(String(at));
    return Response.json(slices[String(at)]);
  });
  assert.deepEqual(await client.all("/pages?limit=2"), [1, 2, 3]);
  assert.deepEqual(asked, Object.keys(slices));
});
