package importer

import (
	"cmp"
	"maps"

	"github.com/octavo-docs/octavo/internal/importer/language"
)

// speak sets the language of each page: that of its folder, else that of the import.
func (p *plan) speak(fallback string) {
	spoken := language.OfFiles(maps.Keys(p.paths))
	for _, f := range p.files {
		f.language = cmp.Or(spoken[f.path], fallback)
	}
}
