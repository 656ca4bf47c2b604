import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { paths } from "./octavoapi/schema";
import { address, headers, steps } from "./steps";

// Without this it repeats the name for each item of a list.
const client = createClient<paths>({ baseUrl: address, headers, querySerializer: { array: { style: "form", explode: false } } });

steps("openapi-fetch", {
  create: async (body) => ok((await client.POST("/pages", { body })).data) as { id: string; slug: string },
  list: async (query) => ok((await client.GET("/pages", { params: { query } })).data),
  patch: async (pageId, body) => ok((await client.PATCH("/pages/{pageId}", { params: { path: { pageId } }, body })).data),
  upload: async (file, metadata) => {
    const form = new FormData();
    form.set("file", file);
    form.set("metadata", JSON.stringify(metadata));
    return ok((await client.POST("/assets", { body: form as never })).data);
  },
  search: async (q, filters) => {
    return ok((await client.GET("/search", { params: { query: { q, filters: JSON.stringify(filters) } } })).data) as { id: string }[];
  },
  export: async (body) => ok((await client.POST("/exports", { body })).data) as { id: string },
  exported: async (exportId, wait) => ok((await client.GET("/exports/{exportId}", { params: { path: { exportId }, query: { wait } } })).data),
});

function ok<T>(data: T | undefined): T {
  assert.ok(data);
  return data;
}
