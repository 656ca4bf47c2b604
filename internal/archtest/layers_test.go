package archtest

// An area is a folder with all packages in it; the longest path that fits names
// the area of a package. Packages of one area may import each other.
type area struct {
	path string

	// only, when set, lists the areas that this one may import. Otherwise it
	// may import every area of a lower layer.
	only []string

	// tests marks an area for tests alone: product code must not import it, and
	// it may import whatever it needs.
	tests bool
}

// layers lists the areas from the bottom up. An area never imports its own
// layer: that keeps the features apart.
var layers = [][]area{
	{{path: "."}},
	{
		{path: "api", only: []string{"."}},
		{path: "client", only: []string{"."}},
		{path: "docs", only: []string{}},
		{path: "internal/blob", only: []string{"."}},
		{path: "internal/deflate", only: []string{}},
		{path: "internal/document", only: []string{"internal/slugify"}},
		{path: "internal/egress"},
		{path: "internal/frontmatter", only: []string{".", "internal/yamlvalue"}},
		{path: "internal/issuers", only: []string{"."}},
		{path: "internal/jsonvalue"},
		{path: "internal/mail"},
		{path: "internal/merge", only: []string{"."}},
		{path: "internal/markdown", only: []string{".", "internal/document", "internal/frontmatter"}},
		{path: "internal/metrics", only: []string{}},
		{path: "internal/portal", only: []string{"."}},
		{path: "internal/studio", only: []string{"."}},
		{path: "internal/quota", only: []string{}},
		{path: "internal/slugify", only: []string{}},
		{path: "internal/tracing", only: []string{"."}},
		{path: "internal/yamlvalue"},
	},
	{
		{path: "internal/config", only: []string{".", "internal/mail"}},
		{path: "internal/conform", only: []string{".", "api", "client"}},
		{path: "internal/importer", only: []string{".", "client", "internal/document", "internal/frontmatter", "internal/markdown", "internal/merge", "internal/slugify"}},
		{path: "internal/moving", only: []string{".", "internal/document", "internal/frontmatter", "internal/slugify", "internal/yamlvalue"}},
		{path: "internal/pdf", only: []string{".", "internal/document", "internal/markdown"}},
		{path: "internal/site", only: []string{".", "internal/deflate", "internal/document", "internal/markdown"}},
		{path: "internal/store/sqldb", only: []string{".", "internal/tracing"}},
	},
	{{path: "internal/accounts", only: []string{".", "internal/store/sqldb"}}},
	{{path: "internal/store", only: []string{".", "internal/accounts", "internal/quota", "internal/store/sqldb", "internal/tracing"}}},
	{
		{path: "internal/assets"},
		{path: "internal/auth"},
		{path: "internal/backup", only: []string{".", "internal/blob", "internal/store", "internal/store/sqldb"}},
		{path: "internal/exports"},
		{path: "internal/outline", only: []string{".", "internal/deflate", "internal/store"}},
		{path: "internal/pages"},
		{path: "internal/proposals"},
		{path: "internal/search"},
		{path: "internal/webhooks"},
	},
	{{path: "internal/authserver"}, {path: "internal/imports"}, {path: "internal/reader"}},
	{{path: "internal/httpapi"}},
	{{path: "internal/app"}},
	{{path: "internal/storage"}},
	{{path: "internal/doctor"}, {path: "internal/server"}},
	{{path: "cmd"}},
	{
		{path: "api/apitest", tests: true},
		{path: "deploy", tests: true},
		{path: "internal/archtest", tests: true},
		{path: "internal/blob/blobtest", tests: true},
		{path: "internal/exports/exporttest", tests: true},
		{path: "internal/faulttest", tests: true},
		{path: "internal/fuzztest", tests: true},
		{path: "internal/octavotest", tests: true},
		{path: "internal/store/sqldb/sqltest", tests: true},
		{path: "internal/store/storetest", tests: true},
		{path: "internal/testenv", tests: true},
	},
}
