package importer

import (
	"cmp"
	"fmt"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/importer/filename"
)

// chooseSet returns the import set: the requested one, the title of the site, or a guess,
// which does not allow deletions.
func (p *plan) chooseSet(opts Options, title string) (string, error) {
	set := cmp.Or(opts.Set, title)
	if set == "" {
		name, _ := cutTitle(oneLine(opts.Name))
		set = p.likelySet(filename.WithoutNumber(name))
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
