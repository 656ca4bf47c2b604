import { Api, PageStatus } from "./octavoapi/swagger-typescript-api/api";
import { address, headers, steps } from "./steps";

const api = new Api({ baseUrl: address, baseApiParams: { headers, format: "json" } });

steps("swagger-typescript-api", {
  create: async (page) => (await api.pages.createPage({ ...page, status: PageStatus.Published })).data,
  // It repeats the name of a list for each item, and writes objects in a query as
  // [object Object]: see docs/api/clients.md.
  list: async ({ tag, include }) => (await api.pages.listPages({ tag, include: include.join(",") as never })).data,
  patch: async (id, change) => (await api.pages.patchPage(id, change)).data,
  upload: async (file, metadata) => (await api.assets.createAsset({ file, metadata })).data,
  search: async (q, filters) => (await api.search.searchPages({ q, filters: JSON.stringify(filters) as never })).data,
  export: async (request) => (await api.exports.createExport(request)).data,
  exported: async (id, wait) => (await api.exports.getExport(id, { wait })).data,
});
