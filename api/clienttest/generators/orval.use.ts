import assert from "node:assert/strict";
import axios from "axios";
import * as api from "./octavoapi/orval";
import { address, headers, steps } from "./steps";

axios.defaults.baseURL = address;
Object.assign(axios.defaults.headers.common, headers);

steps("orval", {
  create: async (page) => {
    const { data } = await api.createPage(page);
    assert.ok("slug" in data);
    return data;
  },
  list: async (query) => (await api.listPages(query)).data,
  patch: async (id, change) => {
    return (await api.patchPage(id, change)).data;
  },
  upload: async (file, metadata) => (await api.createAsset({ file, metadata })).data,
  search: async (q, filters) => {
    const { data } = await api.searchPages({ q, filters });
    assert.ok(typeof data !== "string");
    return data;
  },
  export: async (request) => {
    const { data } = await api.createExport(request);
    assert.ok(typeof data !== "string");
    return data;
  },
  exported: async (id, wait) => (await api.getExport(id, { wait })).data,
});
