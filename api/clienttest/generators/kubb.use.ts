import assert from "node:assert/strict";
import axios from "axios";
import * as api from "./octavoapi/kubb";
import { address, headers, steps } from "./steps";

const config = { baseURL: address, headers };

steps("kubb", {
  create: async (page) => {
    const data = await api.createPage(page, undefined, config);
    assert.ok("slug" in data);
    return data;
  },
  list: (query) => api.listPages(query, undefined, config),
  patch: (id, change) => api.patchPage(id, change, undefined, config),
  upload: (file, metadata) => api.createAsset({ file, metadata }, undefined, config),
  search: async (q, filters) => {
    const data = await api.searchPages({ q, filters }, undefined, config);
    assert.ok(typeof data !== "string");
    return data;
  },
  export: async (request) => {
    const data = await api.createExport(request, undefined, config);
    assert.ok(typeof data !== "string");
    return data;
  },
  exported: (id, wait) => api.getExport(id, { wait }, undefined, config),
});
