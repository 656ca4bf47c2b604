package httpapi

import "github.com/octavo-docs/octavo"

// server tells below which address an operation is found.
type server uint8

const (
	onBase   server = iota // {base_url}: public address + /{version}
	onSearch               // {search_url}: + /{region}/{version}
)

// scheme is a set of accepted credentials.
type scheme uint8

const (
	bearer   scheme = 1 << iota // Authorization: Bearer, for BearerAuth and OAuth2
	header                      // X-API-Key
	query                       // api_key in the query
	public   scheme = 0
	resource        = bearer | header // what the resource paths accept (decision 3)
)

// route is one operation of the API.
type route struct {
	name    string // operationId in the document
	server  server
	method  string
	pattern string // below the server's address
	accept  scheme
	scope   octavo.Scopes
	handle  handler
	flags   flags
}

// flags tell the pipeline what is particular about an operation.
type flags uint8

const (
	idempotent  flags = 1 << iota // takes Idempotency-Key (decision 18)
	uncounted                     // public, and not counted against the rate limit (decision 42)
	searchOnly                    // open to keys of kind search
	multipartOK                   // takes multipart/form-data
)

// routes is the map of the API: one line per operation. The order is that of
// the document.
func (a *API) routes() []route {
	const (
		read, write, admin = octavo.ScopeRead, octavo.ScopeWrite, octavo.ScopeAdmin
		page, pageByDemo   = "/pages/{pageId}", "/examples/path-parameters/{pageId}"
		key, hook          = "/api-keys/{id}", "/webhooks/{id}"
	)
	return []route{
		{"demoBasicRequest", onBase, "GET", "/examples/basic-request", resource, read, a.listPages, 0},
		{"demoRequestBodyVariants", onBase, "POST", "/examples/basic-request", bearer, write, a.createPage, idempotent | multipartOK},
		{"demoPathParameters", onBase, "GET", pageByDemo, bearer, read, a.getPage, 0},
		{"patchPageByContractPath", onBase, "PATCH", pageByDemo, bearer, write, a.patchPage, 0},
		{"demoQueryParameters", onSearch, "GET", "/examples/query-parameters", query, read, a.search, searchOnly},
		{"demoComplexRequestBody", onBase, "POST", "/examples/complex-request-body", bearer, read, a.createExport, idempotent},
		{"demoBasicResponse", onBase, "GET", "/examples/basic-response", public, 0, a.health, uncounted},

		{"listPages", onBase, "GET", "/pages", resource, read, a.listPages, 0},
		{"createPage", onBase, "POST", "/pages", resource, write, a.createPage, idempotent | multipartOK},
		{"bulkPages", onBase, "POST", "/pages/bulk", resource, write, a.bulkPages, idempotent},
		{"getPageBySlug", onBase, "GET", "/pages/by-slug/{slug}", resource, read, a.getPageBySlug, 0},
		{"getPage", onBase, "GET", page, resource, read, a.getPage, 0},
		{"patchPage", onBase, "PATCH", page, resource, write, a.patchPage, 0},
		{"replacePage", onBase, "PUT", page, resource, write, a.replacePage, 0},
		{"deletePage", onBase, "DELETE", page, resource, write, a.deletePage, 0},
		{"restorePage", onBase, "POST", page + "/restore", resource, write, a.restorePage, idempotent},
		{"listRevisions", onBase, "GET", page + "/revisions", resource, read, a.listRevisions, 0},
		{"getRevision", onBase, "GET", page + "/revisions/{number}", resource, read, a.getRevision, 0},
		{"restoreRevision", onBase, "POST", page + "/revisions/{number}/restore", resource, write, a.restoreRevision, idempotent},
		{"previewPage", onBase, "GET", page + "/preview", resource, read, a.previewPage, 0},
		{"listBacklinks", onBase, "GET", page + "/backlinks", resource, read, a.listBacklinks, 0},
		{"health", onBase, "GET", "/health", public, 0, a.health, uncounted},

		{"search", onBase, "GET", "/search", resource, read, a.search, searchOnly},
		{"listAssets", onBase, "GET", "/assets", resource, read, a.listAssets, 0},
		{"createAsset", onBase, "POST", "/assets", resource, write, a.createAsset, idempotent | multipartOK},
		{"getAsset", onBase, "GET", "/assets/{assetId}", resource, read, a.getAsset, 0},
		{"patchAsset", onBase, "PATCH", "/assets/{assetId}", resource, write, a.patchAsset, 0},
		{"deleteAsset", onBase, "DELETE", "/assets/{assetId}", resource, write, a.deleteAsset, 0},
		{"listExports", onBase, "GET", "/exports", resource, read, a.listExports, 0},
		{"createExport", onBase, "POST", "/exports", resource, read, a.createExport, idempotent},
		{"getExport", onBase, "GET", "/exports/{exportId}", resource, read, a.getExport, 0},
		{"deleteExport", onBase, "DELETE", "/exports/{exportId}", resource, read, a.deleteExport, 0},
		{"downloadExport", onBase, "GET", "/exports/{exportId}/download", public, 0, a.downloadExport, uncounted},
		{"listEvents", onBase, "GET", "/events", resource, read, a.listEvents, 0},
		{"listEventDeliveries", onBase, "GET", "/events/{id}/deliveries", resource, admin, a.listEventDeliveries, 0},
		{"listWebhooks", onBase, "GET", "/webhooks", resource, admin, a.listWebhooks, 0},
		{"createWebhook", onBase, "POST", "/webhooks", resource, admin, a.createWebhook, 0},
		{"getWebhook", onBase, "GET", hook, resource, admin, a.getWebhook, 0},
		{"patchWebhook", onBase, "PATCH", hook, resource, admin, a.patchWebhook, 0},
		{"deleteWebhook", onBase, "DELETE", hook, resource, admin, a.deleteWebhook, 0},
		{"testWebhook", onBase, "POST", hook + "/test", resource, admin, a.testWebhook, idempotent},
		{"rotateWebhookSecret", onBase, "POST", hook + "/rotate-secret", resource, admin, a.rotateWebhookSecret, 0},
		{"redeliverWebhook", onBase, "POST", hook + "/redeliver", resource, admin, a.redeliverWebhook, idempotent},
		{"listWebhookDeliveries", onBase, "GET", hook + "/deliveries", resource, admin, a.listWebhookDeliveries, 0},
		{"redeliverDelivery", onBase, "POST", hook + "/deliveries/{deliveryId}/redeliver", resource, admin, a.redeliverDelivery, idempotent},
		{"listApiKeys", onBase, "GET", "/api-keys", resource, admin, a.listKeys, 0},
		{"createApiKey", onBase, "POST", "/api-keys", resource, admin, a.createKey, 0},
		{"getApiKey", onBase, "GET", key, resource, admin, a.getKey, 0},
		{"deleteApiKey", onBase, "DELETE", key, resource, admin, a.deleteKey, 0},
		{"rotateApiKey", onBase, "POST", key + "/rotate", resource, admin, a.rotateKey, 0},
		{"listUsers", onBase, "GET", "/users", resource, admin, a.listUsers, 0},
		{"listAudit", onBase, "GET", "/audit", resource, admin, a.listAudit, 0},
	}
}
