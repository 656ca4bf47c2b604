package importer

import (
	"path"
	"slices"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/importer/settings"
)

// lineage is how front matter of Just the Docs names the pages above, by their titles.
type lineage struct{ parent, grandParent, ancestor string }

func readLineage(front octavo.Value) lineage {
	read := func(name string) string {
		v, _, _ := member(front, name)
		return oneLine(settings.Scalar(v))
	}
	return lineage{read("parent"), read("grand_parent"), read("ancestor")}
}

// named returns the page that the front matter of a page of Jekyll names as its parent, nil
// for none.
func (p *plan) named(f *file) *file {
	parent := p.titled(f)
	for up, n := parent, 0; up != nil; up, n = p.titled(up), n+1 {
		if up == f || n == octavo.MaxDepth { // a circle
			return nil
		}
	}
	return parent
}

// titled is named without a check for circles.
func (p *plan) titled(f *file) *file {
	if f.dialect != octavo.DialectJekyll || f.meta.above.parent == "" {
		return nil
	}
	if p.titles == nil {
		p.titles = map[string][]*file{}
		for _, f := range p.files {
			p.titles[f.title] = append(p.titles[f.title], f)
		}
	}
	for _, g := range p.titles[f.meta.above.parent] {
		said, its := f.meta.above, g.meta.above
		if g != f && (said.grandParent == "" || said.grandParent == its.parent) && (said.ancestor == "" || slices.Contains([]string{its.parent, its.grandParent, its.ancestor}, said.ancestor)) {
			return g
		}
	}
	return nil
}

// byDate returns the position of a page of Hugo without a weight, and of a post of Jekyll:
// behind those that have one, the newest first.
func (f *file) byDate() *int64 {
	at := f.meta.publication.publish
	if at == nil || f.dialect != octavo.DialectHugo && (f.dialect != octavo.DialectJekyll || path.Base(path.Dir(f.path)) != "_posts") {
		return nil
	}
	const behind, day = 1_000_000, int64(24 * time.Hour / time.Second)
	position := behind*Spacing - at.Unix()*Spacing/day
	return &position
}
