// Package octavo holds the nouns of the Octavo API and the rules their values
// obey: pages, assets, problems, events, credentials and the identifiers that name
// them. It decodes and validates what clients send and encodes what they get.
//
// The package does no I/O and imports the standard library only. It does not
// know how values are stored, who may see them, or how they travel over HTTP.
//
// Input arrives as a [Value], a decoded JSON or YAML document, so that every
// mistake in it can be told at once, each with its JSON Pointer:
//
//	page, err := octavo.DecodePageCreate(value)
//	// err is an *Error that lists every field at fault.
package octavo

// MaxErrors is the number of faults that one Problem lists; its detail says
// how many more there were (decision 7).
const MaxErrors = 100
