package importer

import (
	"io/fs"
	"regexp"

	"github.com/octavo-docs/octavo/internal/importer/settings"
)

const notUnderstood = "%s is not understood, so pages that it excludes may become published"

// isPress matches the configuration of VitePress and VuePress, which has the order of pages.
var isPress = regexp.MustCompile(`(^|/)\.(vite|vue)press/config(/index)?\.\w+$`)

// leftOut returns the exclusion rules of a configuration. It notes what it cannot parse.
func (p *plan) leftOut(fsys fs.FS, name string) (rules []rule) {
	e := Entry{Path: name, Action: Skipped}
	if isPress.MatchString(name) && !p.read[name] {
		e.note(1, lostOrder)
	}
	for _, x := range settings.Exclusions(name, func() []byte {
		text, _ := readFile(fsys, name) // errors are reported elsewhere
		return text
	}) {
		for _, root := range x.Roots {
			rules = append(rules, within(root, rule{where: x.Key + " of " + name, why: "it is left out", covers: x.Covers})...)
		}
		if !x.Literal {
			e.note(x.Line, notUnderstood, x.Key)
		}
	}
	if len(e.Notes) > 0 {
		p.entries = append(p.entries, e)
	}
	return rules
}
