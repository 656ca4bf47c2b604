// Package conform runs contract scripts: text files with HTTP requests and the expected
// responses. The same script runs against a [net/http.Handler] in a test and, over the
// network, against any server of the API. Start with [Run], which returns a [Report].
//
// The package owns the script language and the check of responses against the OpenAPI
// document. It does not own the scripts (package api), start a server, or create
// credentials.
//
// api/scripts/README.md describes the language.
package conform
