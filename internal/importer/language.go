package importer

import (
	"maps"

	"github.com/octavo-docs/octavo/internal/importer/language"
)

// speak gives each page the language of its folder, else that of the import.
func (p *plan) speak(fallback string) {
	for _, f := range p.files {
		f.language = fallback
	}
	for file, tag := range language.OfFiles(maps.Keys(p.paths)) {
		p.paths[file].language = tag
	}
}
