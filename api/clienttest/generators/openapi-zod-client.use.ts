import { createApiClient } from "./octavoapi/zodios";
import { address, headers, steps } from "./steps";

const api = createApiClient(address, { axiosConfig: { headers } });

steps(
  "openapi-zod-client",
  {
    create: (page) => api.createPage(page),
    list: (queries) => api.listPages({ queries }),
    patch: (pageId, change) => api.patchPage(change, { params: { pageId } }),
    upload: (file) => api.createAsset({ file }),
    search: (q, filters) => api.searchPages({ queries: { q, filters } }),
    export: (request) => api.createExport(request),
    exported: (exportId, wait) => api.getExport({ params: { exportId }, queries: { wait } }),
  },
  { metadata: true }, // it writes objects in a form as [object Object]: see docs/api/clients.md
);
