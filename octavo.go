// Package octavo has the nouns of the Octavo API and the rules for their values: pages,
// assets, problems, events, credentials and identifiers. It decodes and validates what
// clients send, and encodes what they get.
//
// The package does no I/O and imports only the standard library. It does not store
// values, decide who may see them, or serve HTTP. Start with [Page] and [Error].
//
// Input arrives as a [Value], a decoded JSON or YAML document, so that all mistakes in
// it are reported at once, each with its JSON Pointer:
//
//	page, err := octavo.DecodePageCreate(value)
//	// err is an *Error that lists every field at fault.
package octavo

// MaxErrors is the maximum number of errors that one Problem lists; its detail has the
// number of further ones (decision 7).
const MaxErrors = 100
