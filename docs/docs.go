// Package docs carries the user documentation of Octavo inside the program, so
// that a demonstration has something real to serve. It holds pages and their
// pictures only; how they become pages of a store is the importer's business. Decision records
// are not part of it.
package docs

import (
	"embed"
	"io/fs"
)

//go:embed *.md api/*.md concepts/*.md moving/*.md operating/*.md pictures
var files embed.FS

// Files returns the documentation as a tree of Markdown files and pictures.
func Files() fs.FS { return files }
