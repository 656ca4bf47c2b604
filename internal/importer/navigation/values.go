package navigation

import (
	"io/fs"
	"path"
	"regexp"
	"strings"

	"github.com/octavo-docs/octavo/internal/importer/script"
)

// substitutions matches what conf.py defines for all pages, and substitution one of them.
var (
	substitutions = regexp.MustCompile(`(?m)^myst_substitutions *= *\{(?:.*\}[ \t]*$|(?s:.*?)^\})`)
	substitution  = regexp.MustCompile(`["']([\w-]+)["']\s*:\s*(?:"([^"\\\n]*)"|'([^'\\\n]*)')\s*[,}]`)
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
	case "myst":
		text, _ := fs.ReadFile(fsys, path.Join(s.Dir, "conf.py")) // others have none
		for _, m := range substitution.FindAllSubmatch(substitutions.Find(text), -1) {
			values[strings.ToLower(string(m[1]))] = string(m[2]) + string(m[3])
		}
		r := &reader{FS: fsys, names: names, site: s}
		if file := r.first(s.Dir, "_config.yml"); file != "" {
			said, _ := r.parse(file)
			add("", said.Get("sphinx").Get("config").Get("myst_substitutions"))
		}
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
