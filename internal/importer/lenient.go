package importer

import (
	"io/fs"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/importer/settings"
)

// readData reads a configuration file as leniently as generators.
func readData(fsys fs.FS, name string) (octavo.Value, error) {
	text, err := readFile(fsys, name)
	if err != nil {
		return octavo.Value{}, err
	}
	return settings.Lenient(name, text)
}
