package httpapi

import (
	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/httpapi/rest"
)

const (
	onBase, onSearch = rest.OnBase, rest.OnSearch

	bearer, query, public = rest.Bearer, rest.QueryKey, rest.Public
	resource              = rest.Bearer | rest.HeaderKey // what the resource paths accept (decision 3)

	idempotent, uncounted, searchOnly, form = rest.Idempotent, rest.Uncounted, rest.SearchOnly, rest.Multipart
)

// route is a rest.Route, whose members the table gives in their order.
type route rest.Route

// routes is the map of the API: one line per operation. The order is that of
// the document.
func routes(o Options) []route {
	const (
		read, write, manage = octavo.ScopeRead, octavo.ScopeWrite, octavo.ScopeAdmin
		page, pageByDemo    = "/pages/{pageId}", "/examples/path-parameters/{pageId}"
		key, hook           = "/api-keys/{id}", "/webhooks/{id}"
	)
	pages, assets, search, exports := o.Pages, o.Assets, o.Search, o.Exports
	events, webhooks, admin := o.Events, o.Webhooks, o.Admin
	return []route{
		{"demoBasicRequest", onBase, "GET", "/examples/basic-request", resource, read, pages.List, 0},
		{"demoRequestBodyVariants", onBase, "POST", "/examples/basic-request", bearer, write, pages.Create, idempotent | form},
		{"demoPathParameters", onBase, "GET", pageByDemo, bearer, read, pages.Get, 0},
		{"patchPageByContractPath", onBase, "PATCH", pageByDemo, bearer, write, pages.Patch, 0},
		{"demoQueryParameters", onSearch, "GET", "/examples/query-parameters", query, read, search.Search, searchOnly},
		{"demoComplexRequestBody", onBase, "POST", "/examples/complex-request-body", bearer, read, exports.Create, idempotent},
		{"demoBasicResponse", onBase, "GET", "/examples/basic-response", public, 0, health, uncounted},

		{"listPages", onBase, "GET", "/pages", resource, read, pages.List, 0},
		{"createPage", onBase, "POST", "/pages", resource, write, pages.Create, idempotent | form},
		{"bulkPages", onBase, "POST", "/pages/bulk", resource, write, pages.Bulk, idempotent},
		{"getPageBySlug", onBase, "GET", "/pages/by-slug/{slug}", resource, read, pages.GetBySlug, 0},
		{"getPage", onBase, "GET", page, resource, read, pages.Get, 0},
		{"patchPage", onBase, "PATCH", page, resource, write, pages.Patch, 0},
		{"replacePage", onBase, "PUT", page, resource, write, pages.Replace, 0},
		{"deletePage", onBase, "DELETE", page, resource, write, pages.Delete, 0},
		{"restorePage", onBase, "POST", page + "/restore", resource, write, pages.Restore, idempotent},
		{"listRevisions", onBase, "GET", page + "/revisions", resource, read, pages.ListRevisions, 0},
		{"getRevision", onBase, "GET", page + "/revisions/{number}", resource, read, pages.GetRevision, 0},
		{"restoreRevision", onBase, "POST", page + "/revisions/{number}/restore", resource, write, pages.RestoreRevision, idempotent},
		{"previewPage", onBase, "GET", page + "/preview", resource, read, pages.Preview, 0},
		{"listBacklinks", onBase, "GET", page + "/backlinks", resource, read, pages.ListBacklinks, 0},
		{"health", onBase, "GET", "/health", public, 0, health, uncounted},

		{"search", onBase, "GET", "/search", resource, read, search.Search, searchOnly},
		{"listAssets", onBase, "GET", "/assets", resource, read, assets.List, 0},
		{"createAsset", onBase, "POST", "/assets", resource, write, assets.Create, idempotent | form},
		{"getAsset", onBase, "GET", "/assets/{assetId}", resource, read, assets.Get, 0},
		{"patchAsset", onBase, "PATCH", "/assets/{assetId}", resource, write, assets.Patch, 0},
		{"deleteAsset", onBase, "DELETE", "/assets/{assetId}", resource, write, assets.Delete, 0},
		{"listExports", onBase, "GET", "/exports", resource, read, exports.List, 0},
		{"createExport", onBase, "POST", "/exports", resource, read, exports.Create, idempotent},
		{"getExport", onBase, "GET", "/exports/{exportId}", resource, read, exports.Get, 0},
		{"deleteExport", onBase, "DELETE", "/exports/{exportId}", resource, read, exports.Delete, 0},
		{"downloadExport", onBase, "GET", "/exports/{exportId}/download", public, 0, exports.Download, uncounted},
		{"listEvents", onBase, "GET", "/events", resource, read, events.List, 0},
		{"listEventDeliveries", onBase, "GET", "/events/{id}/deliveries", resource, manage, webhooks.ListEventDeliveries, 0},
		{"listWebhooks", onBase, "GET", "/webhooks", resource, manage, webhooks.List, 0},
		{"createWebhook", onBase, "POST", "/webhooks", resource, manage, webhooks.Create, 0},
		{"getWebhook", onBase, "GET", hook, resource, manage, webhooks.Get, 0},
		{"patchWebhook", onBase, "PATCH", hook, resource, manage, webhooks.Patch, 0},
		{"deleteWebhook", onBase, "DELETE", hook, resource, manage, webhooks.Delete, 0},
		{"testWebhook", onBase, "POST", hook + "/test", resource, manage, webhooks.Test, idempotent},
		{"rotateWebhookSecret", onBase, "POST", hook + "/rotate-secret", resource, manage, webhooks.RotateSecret, 0},
		{"redeliverWebhook", onBase, "POST", hook + "/redeliver", resource, manage, webhooks.RedeliverSince, idempotent},
		{"listWebhookDeliveries", onBase, "GET", hook + "/deliveries", resource, manage, webhooks.ListDeliveries, 0},
		{"redeliverDelivery", onBase, "POST", hook + "/deliveries/{deliveryId}/redeliver", resource, manage, webhooks.Redeliver, idempotent},
		{"listApiKeys", onBase, "GET", "/api-keys", resource, manage, admin.ListKeys, 0},
		{"createApiKey", onBase, "POST", "/api-keys", resource, manage, admin.CreateKey, 0},
		{"getApiKey", onBase, "GET", key, resource, manage, admin.GetKey, 0},
		{"deleteApiKey", onBase, "DELETE", key, resource, manage, admin.DeleteKey, 0},
		{"rotateApiKey", onBase, "POST", key + "/rotate", resource, manage, admin.RotateKey, 0},
		{"listUsers", onBase, "GET", "/users", resource, manage, admin.ListUsers, 0},
		{"listAudit", onBase, "GET", "/audit", resource, manage, admin.ListAudit, 0},
	}
}
