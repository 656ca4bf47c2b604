package navigation

import (
	"io/fs"
	"path"
	"strings"

	"github.com/octavo-docs/octavo/internal/importer/script"
)

// Values returns the texts, numbers and truth values of the configuration by the names, in
// small letters, that expressions in pages have for them.
func (s Site) Values(fsys fs.FS, names []string) map[string]string {
	values := map[string]string{}
	var add func(name string, n script.Node)
	add = func(name string, n script.Node) {
		if n.Kind == script.Text {
			values[strings.ToLower(name)] = n.Text
		}
		for _, m := range n.Members {
			add(strings.TrimPrefix(name+"."+m.Name, "."), m.Value)
		}
	}
	switch s.System {
	case "jekyll":
		add("site", s.said)
	case "hugo":
		add("", s.said.Get("params"))
		r := &reader{FS: fsys, names: names, site: s}
		if file := r.first(path.Join(s.Dir, ofHugo), "params.toml", "params.yaml", "params.yml", "params.json"); file != "" {
			said, _ := r.parse(file) // without it, its names stay named in the report
			add("", said)
		}
	}
	return values
}
