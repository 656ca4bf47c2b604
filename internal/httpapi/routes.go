package httpapi

import (
	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/httpapi/rest"
)

const (
	onBase, onSearch = rest.OnBase, rest.OnSearch

	bearer, query, public = rest.Bearer, rest.QueryKey, rest.Public
	resource              = rest.Bearer | rest.HeaderKey // accepted by the resource paths (decision 3)

	asJSON, idempotent, form = rest.AsJSON, rest.Idempotent, rest.Multipart
	uncounted, searchOnly    = rest.Uncounted, rest.SearchOnly
	formAlone                = rest.Multipart | rest.FormAlone
)

// route is a rest.Route whose members are in the order of the table.
type route rest.Route

// routes is the map of the API: one line per operation, in the order of the document.
func routes(o Options) []route {
	const (
		read, write, manage = octavo.ScopeRead, octavo.ScopeWrite, octavo.ScopeAdmin
		page, pageByDemo    = "/pages/{pageId}", "/examples/path-parameters/{pageId}"
		key, hook           = "/api-keys/{id}", "/webhooks/{id}"
		user, client        = "/users/{id}", "/clients/{id}"
	)
	const (
		proposal, change = "/proposals/{proposalId}", "/proposals/{proposalId}/changes/{changeId}"
		comment          = "/proposals/{proposalId}/comments/{commentId}"
	)
	propose := octavo.ScopePropose
	pages, assets, search, exports, proposals := o.Pages, o.Assets, o.Search, o.Exports, o.Proposals
	events, webhooks, admin, site, imports := o.Events, o.Webhooks, o.Admin, o.Settings, o.Imports
	return []route{
		{"demoBasicRequest", onBase, "GET", "/examples/basic-request", resource, read, pages.List, asJSON},
		{"demoRequestBodyVariants", onBase, "POST", "/examples/basic-request", bearer, write, pages.Create, asJSON | idempotent | form},
		{"demoPathParameters", onBase, "GET", pageByDemo, bearer, read, pages.Get, 0},
		{"patchPageByContractPath", onBase, "PATCH", pageByDemo, bearer, write, pages.Patch, asJSON},
		{"demoQueryParameters", onSearch, "GET", "/examples/query-parameters", query, read, search.Search, searchOnly},
		{"demoComplexRequestBody", onBase, "POST", "/examples/complex-request-body", bearer, read, exports.Create, idempotent},
		{"demoBasicResponse", onBase, "GET", "/examples/basic-response", public, 0, health, asJSON | uncounted},

		{"listPages", onBase, "GET", "/pages", resource, read, pages.List, asJSON},
		{"createPage", onBase, "POST", "/pages", resource, write, pages.Create, asJSON | idempotent | form},
		{"bulkPages", onBase, "POST", "/pages/bulk", resource, write, pages.Bulk, asJSON | idempotent},
		{"getPageBySlug", onBase, "GET", "/pages/by-slug/{slug}", resource, read, pages.GetBySlug, 0},
		{"getPage", onBase, "GET", page, resource, read, pages.Get, 0},
		{"patchPage", onBase, "PATCH", page, resource, write, pages.Patch, asJSON},
		{"replacePage", onBase, "PUT", page, resource, write, pages.Replace, asJSON},
		{"deletePage", onBase, "DELETE", page, resource, write, pages.Delete, 0},
		{"restorePage", onBase, "POST", page + "/restore", resource, write, pages.Restore, asJSON | idempotent},
		{"movePage", onBase, "POST", page + "/move", resource, write, pages.Move, asJSON | idempotent},
		{"listRevisions", onBase, "GET", page + "/revisions", resource, read, pages.ListRevisions, asJSON},
		{"getRevision", onBase, "GET", page + "/revisions/{number}", resource, read, pages.GetRevision, asJSON},
		{"diffRevisions", onBase, "GET", page + "/revisions/{number}/diff", resource, read, pages.DiffRevisions, 0},
		{"restoreRevision", onBase, "POST", page + "/revisions/{number}/restore", resource, write, pages.RestoreRevision, asJSON | idempotent},
		{"previewPage", onBase, "GET", page + "/preview", resource, read, pages.Preview, 0},
		{"listBacklinks", onBase, "GET", page + "/backlinks", resource, read, pages.ListBacklinks, asJSON},
		{"getTree", onBase, "GET", "/tree", resource, read, pages.Tree, asJSON},
		{"listLinks", onBase, "GET", "/links", resource, read, pages.ListLinks, asJSON},
		{"renderDraft", onBase, "POST", "/render", resource, read, pages.RenderDraft, asJSON},

		{"listProposals", onBase, "GET", "/proposals", resource, propose, proposals.List, asJSON},
		{"createProposal", onBase, "POST", "/proposals", resource, propose, proposals.Create, asJSON | idempotent},
		{"refactorPages", onBase, "POST", "/proposals/refactor", resource, propose, proposals.Refactor, asJSON | idempotent},
		{"getProposal", onBase, "GET", proposal, resource, propose, proposals.Get, asJSON},
		{"patchProposal", onBase, "PATCH", proposal, resource, propose, proposals.Patch, asJSON},
		{"deleteProposal", onBase, "DELETE", proposal, resource, propose, proposals.Delete, 0},
		{"listChanges", onBase, "GET", proposal + "/changes", resource, propose, proposals.ListChanges, asJSON},
		{"addChanges", onBase, "POST", proposal + "/changes", resource, propose, proposals.AddChanges, asJSON | idempotent},
		{"getChange", onBase, "GET", change, resource, propose, proposals.GetChange, asJSON},
		{"replaceChange", onBase, "PUT", change, resource, propose, proposals.PutChange, asJSON},
		{"deleteChange", onBase, "DELETE", change, resource, propose, proposals.RemoveChange, 0},
		{"diffChange", onBase, "GET", change + "/diff", resource, propose, proposals.DiffChange, 0},
		{"previewChange", onBase, "GET", change + "/preview", resource, propose, proposals.PreviewChange, 0},
		{"checkProposal", onBase, "GET", proposal + "/checks", resource, propose, proposals.Checks, asJSON},
		{"mergeProposal", onBase, "POST", proposal + "/merge", resource, write, proposals.Merge, asJSON | idempotent},
		{"listReviews", onBase, "GET", proposal + "/reviews", resource, propose, proposals.ListReviews, asJSON},
		{"createReview", onBase, "POST", proposal + "/reviews", resource, propose, proposals.CreateReview, asJSON | idempotent},
		{"dismissReview", onBase, "DELETE", proposal + "/reviews/{reviewId}", resource, manage, proposals.DismissReview, 0},
		{"listComments", onBase, "GET", proposal + "/comments", resource, propose, proposals.ListComments, asJSON},
		{"createComment", onBase, "POST", proposal + "/comments", resource, propose, proposals.CreateComment, asJSON | idempotent},
		{"patchComment", onBase, "PATCH", comment, resource, propose, proposals.PatchComment, asJSON},
		{"deleteComment", onBase, "DELETE", comment, resource, propose, proposals.DeleteComment, 0},
		{"listPresence", onBase, "GET", "/presence", resource, read, proposals.ListPresence, asJSON},
		{"putPresence", onBase, "PUT", "/presence", resource, propose, proposals.PutPresence, asJSON},
		{"listNotifications", onBase, "GET", "/notifications", resource, read, proposals.ListNotifications, asJSON},
		{"patchNotifications", onBase, "PATCH", "/notifications", resource, read, proposals.PatchNotifications, asJSON},

		{"health", onBase, "GET", "/health", public, 0, health, asJSON | uncounted},

		{"searchPages", onBase, "GET", "/search", resource, read, search.Search, searchOnly},
		{"listAssets", onBase, "GET", "/assets", resource, read, assets.List, asJSON},
		{"createAsset", onBase, "POST", "/assets", resource, propose, assets.Create, idempotent | form},
		{"getAsset", onBase, "GET", "/assets/{assetId}", resource, read, assets.Get, asJSON},
		{"patchAsset", onBase, "PATCH", "/assets/{assetId}", resource, propose, assets.Patch, asJSON},
		{"deleteAsset", onBase, "DELETE", "/assets/{assetId}", resource, propose, assets.Delete, 0},
		{"listAssetPages", onBase, "GET", "/assets/{assetId}/pages", resource, read, assets.ListPages, asJSON},
		{"listExports", onBase, "GET", "/exports", resource, read, exports.List, asJSON},
		{"createExport", onBase, "POST", "/exports", resource, read, exports.Create, idempotent},
		{"getExport", onBase, "GET", "/exports/{exportId}", resource, read, exports.Get, asJSON},
		{"deleteExport", onBase, "DELETE", "/exports/{exportId}", resource, read, exports.Delete, 0},
		{"downloadExport", onBase, "GET", "/exports/{exportId}/download", public, 0, exports.Download, uncounted},
		{"listImports", onBase, "GET", "/imports", resource, write, imports.List, asJSON},
		{"createImport", onBase, "POST", "/imports", resource, write, imports.Create, asJSON | idempotent | formAlone},
		{"getImport", onBase, "GET", "/imports/{importId}", resource, write, imports.Get, asJSON},
		{"deleteImport", onBase, "DELETE", "/imports/{importId}", resource, write, imports.Delete, 0},
		{"getImportReport", onBase, "GET", "/imports/{importId}/report", resource, write, imports.Report, asJSON},
		{"listEvents", onBase, "GET", "/events", resource, read, events.List, 0},
		{"listActivity", onBase, "GET", "/activity", resource, read, events.ListActivity, asJSON},
		{"listEventDeliveries", onBase, "GET", "/events/{id}/deliveries", resource, manage, webhooks.ListEventDeliveries, asJSON},
		{"listWebhooks", onBase, "GET", "/webhooks", resource, manage, webhooks.List, asJSON},
		{"createWebhook", onBase, "POST", "/webhooks", resource, manage, webhooks.Create, asJSON},
		{"getWebhook", onBase, "GET", hook, resource, manage, webhooks.Get, asJSON},
		{"patchWebhook", onBase, "PATCH", hook, resource, manage, webhooks.Patch, asJSON},
		{"deleteWebhook", onBase, "DELETE", hook, resource, manage, webhooks.Delete, 0},
		{"testWebhook", onBase, "POST", hook + "/test", resource, manage, webhooks.Test, idempotent},
		{"rotateWebhookSecret", onBase, "POST", hook + "/rotate-secret", resource, manage, webhooks.RotateSecret, asJSON},
		{"redeliverWebhook", onBase, "POST", hook + "/redeliver", resource, manage, webhooks.RedeliverSince, idempotent},
		{"listWebhookDeliveries", onBase, "GET", hook + "/deliveries", resource, manage, webhooks.ListDeliveries, asJSON},
		{"redeliverDelivery", onBase, "POST", hook + "/deliveries/{deliveryId}/redeliver", resource, manage, webhooks.Redeliver, idempotent},
		{"listApiKeys", onBase, "GET", "/api-keys", resource, manage, admin.ListKeys, asJSON},
		{"createApiKey", onBase, "POST", "/api-keys", resource, manage, admin.CreateKey, asJSON},
		{"getApiKey", onBase, "GET", key, resource, manage, admin.GetKey, asJSON},
		{"deleteApiKey", onBase, "DELETE", key, resource, manage, admin.DeleteKey, 0},
		{"rotateApiKey", onBase, "POST", key + "/rotate", resource, manage, admin.RotateKey, asJSON},
		{"getSite", onBase, "GET", "/site", resource, read, site.Get, asJSON},
		{"patchSite", onBase, "PATCH", "/site", resource, manage, site.Patch, asJSON},
		{"listRedirects", onBase, "GET", "/redirects", resource, write, site.ListRedirects, asJSON},
		{"setRedirect", onBase, "POST", "/redirects", resource, write, site.SetRedirect, asJSON},
		{"deleteRedirect", onBase, "DELETE", "/redirects", resource, write, site.DeleteRedirect, 0},
		{"listFeedback", onBase, "GET", "/feedback", resource, write, site.ListFeedback, asJSON},
		{"deleteFeedback", onBase, "DELETE", "/feedback/{id}", resource, write, site.DeleteFeedback, 0},
		{"listQueries", onBase, "GET", "/search/queries", resource, manage, site.ListQueries, asJSON},
		{"listUsers", onBase, "GET", "/users", resource, manage, admin.ListUsers, asJSON},
		{"createUser", onBase, "POST", "/users", resource, manage, admin.CreateUser, asJSON},
		{"getUser", onBase, "GET", user, resource, manage, admin.GetUser, asJSON},
		{"patchUser", onBase, "PATCH", user, resource, manage, admin.PatchUser, asJSON},
		{"deleteUser", onBase, "DELETE", user, resource, manage, admin.DeleteUser, 0},
		{"resetUser", onBase, "POST", user + "/reset", resource, manage, admin.ResetUser, asJSON},
		{"listPeople", onBase, "GET", "/people", resource, propose, admin.ListPeople, asJSON},
		{"listClients", onBase, "GET", "/clients", resource, manage, admin.ListClients, asJSON},
		{"createClient", onBase, "POST", "/clients", resource, manage, admin.CreateClient, asJSON},
		{"getClient", onBase, "GET", client, resource, manage, admin.GetClient, asJSON},
		{"patchClient", onBase, "PATCH", client, resource, manage, admin.PatchClient, asJSON},
		{"deleteClient", onBase, "DELETE", client, resource, manage, admin.DeleteClient, 0},
		{"getStatus", onBase, "GET", "/status", resource, manage, admin.GetStatus, asJSON},
		{"listAudit", onBase, "GET", "/audit", resource, manage, admin.ListAudit, 0},
	}
}
