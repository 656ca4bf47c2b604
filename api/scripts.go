package api

import (
	"embed"
	"io/fs"
)

//go:embed scripts/*.txt
var scripts embed.FS

// Scripts returns the contract scripts, *.txt files at the root. Package
// conform explains their language and runs them.
func Scripts() fs.FS {
	sub, _ := fs.Sub(scripts, "scripts") // fails for malformed names only
	return sub
}
