import assert from "node:assert/strict";
import * as api from "./octavoapi/hey-api";
import { client } from "./octavoapi/hey-api/client.gen";
import { address, headers, steps } from "./steps";

client.setConfig({ baseUrl: address, headers });
const throwOnError = true;

steps("hey-api", {
  create: async (body) => {
    const { data } = await api.createPage({ body, throwOnError });
    assert.ok("slug" in data);
    return data;
  },
  list: async (query) => (await api.listPages({ query, throwOnError })).data,
  patch: async (pageId, body) => (await api.patchPage({ path: { pageId }, body, throwOnError })).data,
  upload: async (file, metadata) => (await api.createAsset({ body: { file, metadata }, throwOnError })).data,
  // Its own writer gives up on lists in objects: see docs/api/clients.md.
  search: async (q, filters) => {
    const querySerializer = () => new URLSearchParams({ q, filters: JSON.stringify(filters) }).toString();
    const { data } = await api.searchPages({ query: { q, filters }, querySerializer, throwOnError });
    assert.ok(typeof data !== "string");
    return data;
  },
  export: async (body) => {
    const { data } = await api.createExport({ body, throwOnError });
    assert.ok(typeof data !== "string");
    return data;
  },
  exported: async (exportId, wait) => (await api.getExport({ path: { exportId }, query: { wait }, throwOnError })).data,
});
