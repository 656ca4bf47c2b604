// Package conform runs contract scripts: plain text files that send HTTP
// requests and say what must come back. The same script runs against a
// [net/http.Handler] within a test and, over the network, against any server
// that claims to keep the contract. [Run] does either and returns a [Report].
//
// The package owns the script language and the check of every answer against
// the OpenAPI document. It does not own the scripts (package api), start a
// server, or make credentials, which the caller of Run provides.
//
// api/scripts/README.md describes the language.
package conform
