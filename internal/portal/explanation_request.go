package portal

import "github.com/octavo-docs/octavo"

// requestProblems explains the types whose cause is in the request, or in what
// it meets.
func requestProblems() map[octavo.ProblemType]explanation {
	return map[octavo.ProblemType]explanation{
		octavo.InvalidRequest: {
			Meaning: "Something in the request cannot be understood or is not allowed. Nothing was changed. errors lists every mistake that was found, up to 100 of them.",
			Causes: []string{
				"A required member is missing, or one is there that the operation does not know.",
				"A value has the wrong type, is too long, or does not fit its pattern.",
				"The body is no well-formed JSON or YAML, or names a member twice.",
				"A cursor was cut, altered, or used with other filters than it was made with.",
				"A query parameter has a value that it cannot have, or is given twice.",
			},
			Mend: []string{
				"Go through errors: path says where (a JSON Pointer into the body, or the name of a parameter), message says what would be right.",
				"Write names of members in exactly the case that the reference shows.",
				"With a bad cursor, start the list again without one.",
			},
			Errors: []octavo.FieldError{
				{Path: "/title", Message: "must not be empty"},
				{Path: "/slug", Message: "must be lower-case letters and digits in groups joined by single hyphens, such as getting-started"},
			},
		},
		octavo.Unauthorized: {
			Meaning: "The operation needs a credential, and the request carries none that is valid. As the one error of the API, this answer has no body: the header WWW-Authenticate says what is wrong.",
			Causes: []string{
				"No Authorization or X-API-Key header.",
				"The access token has expired; tokens live for 15 minutes unless issued otherwise.",
				"The key was revoked or has expired.",
				"A kind of credential that this path does not take: the paths under /examples accept exactly what the reference says, the others a bearer token or an API key.",
				"A credential of another installation.",
			},
			Mend: []string{
				"Issue a new token with “octavo tokens issue”, or a key with “octavo keys create”.",
				"Send it as “Authorization: Bearer …” or “X-API-Key: …”, in one header only.",
			},
		},
		octavo.Forbidden: {
			Meaning: "The credential is valid, but may not do this.",
			Causes: []string{
				"A credential with pages:read was used to change something.",
				"The operation is for administrators.",
				"A key of kind search was used for anything but searching.",
			},
			Mend: []string{
				"Use a credential with the scope that the detail names. pages:write includes pages:read, admin includes both.",
			},
			Detail: "This needs the scope pages:write.",
		},
		octavo.NotFound: {
			Meaning: "Nothing is at this address, or nothing that the credential may see.",
			Causes: []string{
				"The page was deleted.",
				"The page is a draft or archived, and the credential sees published pages only.",
				"The path has a trailing slash, a version that is not served, or a misspelling.",
			},
			Mend: []string{
				"Look the page up by its slug, or in the list of pages.",
				"A page deleted less than 30 days ago can be restored with POST /pages/{pageId}/restore.",
			},
			Detail: "There is no page \"page_01k5s0r6yqf0b9m1zk3w8d2x7c\".",
		},
		octavo.MethodNotAllowed: {
			Meaning: "The address exists, but not with this method. The header Allow lists the methods that it has.",
			Causes:  []string{"PUT or DELETE sent to a list instead of one page.", "A client that turned a redirected POST into a GET."},
			Mend:    []string{"Use one of the methods in Allow."},
			Detail:  "Use one of GET, HEAD, OPTIONS, POST.",
		},
		octavo.NotAcceptable: {
			Meaning: "The header Accept allows none of the forms in which the answer exists.",
			Causes:  []string{"Accept names a single media type that the operation does not produce."},
			Mend:    []string{"Send no Accept header, or add one of the media types that the detail names."},
			Detail:  "This resource is available as application/json and text/markdown.",
		},
		octavo.Conflict: {
			Meaning: "The request is well formed, but does not go together with how things are now. Nothing was changed.",
			Causes: []string{
				"The page has children, and the request does not say what becomes of them.",
				"The new parent lies below the page itself.",
				"A request with the same Idempotency-Key is still being carried out.",
			},
			Mend: []string{
				"Delete with children=cascade to delete the whole branch, or children=reparent to hang the children one level higher.",
				"Choose a parent outside the page's own branch.",
				"Wait a moment and send the request again with the same key.",
			},
			Detail: "Page page_01k5s0r6yqf0b9m1zk3w8d2x7c has children (3). Say children=cascade to delete them too, or children=reparent to move them up.",
		},
		octavo.SlugTaken: {
			Meaning: "Slugs are unique over all pages that are not deleted, and another page has this one.",
			Causes: []string{
				"The page was created before, for instance by a script that ran twice.",
				"Two clients created the same slug at the same time: one was first.",
				"A deleted page is restored after its slug went to another page.",
			},
			Mend: []string{
				"Read who has the slug with GET /pages/by-slug/{slug}; then change that page, or choose another slug.",
				"Send an Idempotency-Key with POST, so that a repeated request gets the first answer again.",
			},
			Detail: "Another page uses the slug \"install\".",
			Errors: []octavo.FieldError{{Path: "/slug", Message: "is used by another page"}},
		},
		octavo.Gone: {
			Meaning: "What was here has been removed and will not come back at this address.",
			Causes: []string{
				"A download whose time has run out.",
				"Events behind a position so old that they are not kept any more.",
			},
			Mend: []string{
				"Ask for it anew; the old address is of no more use.",
				"Read the pages as they are, and follow the feed from the position that oldest tells, as after or Last-Event-ID: what happened before it is not told any more.",
			},
			Detail: "Some of the events behind position 17 are not kept any more. The oldest position to continue from is 1207.",
			Oldest: "1207",
		},
		octavo.PreconditionFailed: {
			Meaning: "The request says in If-Match which version it was made for, and the page is at another by now. Nothing was changed: this is what keeps you from overwriting a colleague's work.",
			Causes: []string{
				"Somebody changed the page since it was read; its status and its place in the tree count too.",
				"The ETag comes from another page.",
				"The ETag is weak (W/): a proxy that compresses answers made it so.",
			},
			Mend: []string{
				"Read the page again, apply your change to what it says now, and send that with the new ETag.",
			},
			Detail: "Page page_01k5s0r6yqf0b9m1zk3w8d2x7c has changed since it was read.",
		},
		octavo.TooLarge: {
			Meaning: "The body has more bytes than the server takes: 2 MiB for JSON and YAML unless configured otherwise. Or the pages that a bulk request changes have more text than one answer has.",
			Causes:  []string{"A bulk request with very many or very long pages.", "Pictures written into the content as data addresses."},
			Mend: []string{
				"Divide a bulk request into smaller ones.",
				"Who runs the server can set another limit with OCTAVO_MAX_BODY.",
			},
			Detail: "The body may have at most 2097152 bytes.",
		},
		octavo.RangeNotSatisfiable: {
			Meaning: "Range asks for parts of a file, and the file has none of them. Content-Range tells how many bytes it has, where Range could be read.",
			Causes: []string{
				"A download that is continued, though all of it was there already.",
				"A range whose end lies before its start, or that is no number.",
			},
			Mend: []string{
				"Compare the size in Content-Range with what you have, and ask for what is missing, or leave out Range.",
				"Send the ETag of the file as If-Range: the whole comes where the file is another by now.",
			},
			Detail: "Range names no part of the file, which has 105832 bytes.",
		},
		octavo.UnsupportedMediaType: {
			Meaning: "The body is in a form that the operation does not read, or Content-Type does not say which form it is in.",
			Causes: []string{
				"No Content-Type: curl sends application/x-www-form-urlencoded unless told otherwise.",
				"Another charset than UTF-8, or a compressed body.",
			},
			Mend:   []string{"Send “Content-Type: application/json” or “Content-Type: application/yaml”, uncompressed and in UTF-8."},
			Detail: "Send one of application/json, application/yaml, application/x-yaml.",
		},
		octavo.KeyReused: {
			Meaning: "The Idempotency-Key was used within the last 24 hours for a request with another content. The server cannot tell which of the two is meant, so it did nothing.",
			Causes:  []string{"A key made from something that does not change from request to request.", "A request that was altered before it was sent again."},
			Mend:    []string{"Make a new random key, such as a UUID, for each new request, and keep it only for repeating exactly that one."},
			Detail:  "The Idempotency-Key was used before, for a request with other content.",
		},
	}
}
