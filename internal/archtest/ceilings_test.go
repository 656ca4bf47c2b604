package archtest

// ceilings are the current limits (docs/adr/0029-size-has-a-ceiling.md). Lower a limit
// whenever possible; raising one needs a record in docs/adr. A row in except is for a
// value over the common limit, and is removed when the value is below it. Print the
// current values with: go test ./internal/archtest -run Sizes -v
var ceilings = sizeLimits{
	// Go files that become the program, with blanks and comments.
	productLines: 122_200,

	// Of one package, without the packages below it.
	packageLines: limit{common: 5_000, except: map[string]int{
		".":                 5_490, // the nouns of the contract
		"internal/document": 5_025, // one parser: its parts share the state of a page
	}},

	// Exported, with a receiver of the type.
	typeMethods: limit{common: 30, except: map[string]int{
		"client.Client": 70, // one for each operation of the API
	}},

	// Packages of this module that one package imports.
	packageImports: limit{common: 10, except: map[string]int{
		"cmd/octavo":              25, // exports of other systems, and their reports
		"internal/app":            21, // it puts everything together, Studio as well
		"internal/doctor":         11,
		"internal/exports/format": 11,
		"internal/httpapi":        15,
		"internal/importer":       16, // a package for each thing that it reads
		"internal/imports":        12, // it writes pages, files and proposals as the API does
		"internal/pdf":            11, // kinds of components are in a package of their own
		"internal/proposals":      11, // it works on pages and files, and mails notifications
		"internal/server":         21, // it opens and runs everything
		"internal/store":          13, // it opens the parts
	}},

	// In go.mod, without those marked indirect.
	dependencies: 46,
}
