package importer

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"github.com/octavo-docs/octavo"
)

// chooseSet returns the import set: the requested one, the title of the site, or a guess,
// which does not allow deletions.
func (p *plan) chooseSet(opts Options, title string) (string, error) {
	set := cmp.Or(opts.Set, title)
	if set == "" {
		set = p.likelySet(withoutNumber(opts.Name))
		if opts.Gone == GoneDraft || opts.Gone == GoneDelete {
			return "", fmt.Errorf("pages whose file no longer exists are kept unless you name their import set; the name %q is only a guess", set)
		}
	}
	if wrong := octavo.CheckImportSet(set); wrong != "" {
		return "", fmt.Errorf("the name %q of the import set %s", set, wrong)
	}
	return set, nil
}

// likelySet returns the set that matches most files by path and by text or title,
// otherwise the name of the folder.
func (p *plan) likelySet(folder string) string {
	likely, counts := folder, map[string]int{}
	for _, k := range p.known.pages {
		f := p.paths[k.source]
		if f == nil || k.text.content != f.sum && (k.last.Title != f.title || cmp.Or(f.meta.title, f.heading) == "") {
			continue
		}
		if counts[k.set]++; k.set != "" && 2*counts[k.set] > len(p.files) && counts[k.set] > counts[likely] {
			likely = k.set
		}
	}
	return likely
}

var numbered = regexp.MustCompile(`^(?:\d[\d._:T-]*[-_ ]+)?(.*?)(?:[-_. (]+v?\d[\d._:T-]*\)?)*$`)

// withoutNumber strips date, version and number from a folder name.
func withoutNumber(name string) string {
	name, _ = cutTitle(oneLine(name))
	if short := numbered.FindStringSubmatch(name); short != nil && strings.ContainsFunc(short[1], unicode.IsLetter) {
		return short[1]
	}
	return name
}
