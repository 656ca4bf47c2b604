package importer

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo/internal/importer/likeness"
)

// text identifies the text of a file.
type text struct {
	content [sha256.Size]byte
	front   string // compact
}

func (f *file) text() text { return text{f.sum, string(f.front)} }

// match assigns files to the pages of an earlier import in the set: first by path and
// text, then by text, then by path unless the text resembles another file, then by
// similar text among pages whose file is gone. A page of no set matches by path. Files
// that make no page now are not gone, nor are those in unreadable folders.
func (p *plan) match(fsys fs.FS, set string, found listing) {
	pages := map[string]*knownPage{}
	for _, k := range p.known.pages {
		if k.set == set || k.set == "" && p.paths[k.source] != nil && pages[k.source] == nil {
			pages[k.source] = k
		}
	}
	for _, f := range p.skipped {
		if k := pages[f.path]; k != nil {
			f.entry.ID, f.entry.Slug, k.kept = k.id, k.slug, true
			f.entry.Notes[len(f.entry.Notes)-1].Message += "; the page of an earlier import is kept as it was"
		}
	}
	var there []*knownPage // pages whose file has another text
	for _, source := range slices.Sorted(maps.Keys(pages)) {
		k := pages[source]
		switch f := p.paths[source]; {
		case f != nil && f.text() == k.text:
			f.known, k.file = k, f
		case f != nil:
			there = append(there, k)
		case !k.kept && !found.mayHave(source):
			p.gone = append(p.gone, k)
		}
	}
	p.matchTexts(fsys, pages, slices.Concat(p.gone, there))
	unlike := slices.DeleteFunc(slices.Clone(there), func(k *knownPage) bool {
		f := p.paths[k.source]
		if k.file == nil && f.known == nil && f.isLike(fsys, k) {
			f.known, k.file = k, f
		}
		return k.file != nil || f.known != nil
	})
	if len(unlike) > 0 {
		p.settle(fsys, p.matchSimilar(fsys, slices.Concat(p.gone, unlike)), pages)
	}
	others := len(unlike)+len(p.gone) > 1
	for _, k := range there {
		if f := p.paths[k.source]; k.file == nil && f.known == nil {
			f.known, k.file = k, f
			p.strange++
			if others {
				f.entry.note(1, "the text has changed too much to be recognised; the page of this path gets it")
			}
		}
	}
	p.matchSimilar(fsys, p.gone)
	p.gone = slices.DeleteFunc(p.gone, func(k *knownPage) bool { return k.file != nil })
	p.before = len(pages)
	for _, f := range p.files {
		k := f.known
		f.own = f.meta.publication
		if k != nil && k.source != f.path {
			f.entry.note(1, "the file was renamed: it was %s", k.source)
			p.known.leave(k)
		}
	}
}

// checkSet refuses a guessed set if hardly any text of its pages is in the tree: it
// belongs to another tree, whose pages would be overwritten.
func (p *plan) checkSet(opts Options) error {
	taken := p.strange > 0 || opts.Gone == GoneDraft || opts.Gone == GoneDelete
	if found := p.before - p.strange - len(p.gone); taken && p.before > 2 && 10*found < p.before {
		return fmt.Errorf("the import set %q has %d pages, and the tree next to nothing of their texts: name the set, that one if they are the same pages, or else another", opts.Set, p.before)
	}
	return nil
}

// mayHave reports whether the tree has, or may have, a file that makes no page.
func (t listing) mayHave(file string) bool {
	return slices.ContainsFunc(t.unread, func(dir string) bool { return strings.HasPrefix(file, dir+"/") }) ||
		slices.ContainsFunc(t.skipped, func(e Entry) bool { return e.Path == file })
}

// matchTexts assigns files to pages with the same text. A page whose own file exists
// is reassigned only in exchange for another page, as when two files are swapped, or
// if that file has a completely different text.
func (p *plan) matchTexts(fsys fs.FS, pages map[string]*knownPage, from []*knownPage) {
	texts := map[text][]*knownPage{}
	for _, k := range from {
		texts[k.text] = append(texts[k.text], k)
	}
	delete(texts, text{content: sha256.Sum256(nil)}) // empty texts are not evidence
	var moved []*file
	for _, f := range p.files {
		same := texts[f.text()]
		if f.known != nil || len(same) == 0 {
			continue
		}
		i := slices.IndexFunc(same, func(k *knownPage) bool { return path.Base(k.source) == path.Base(f.path) })
		if i < 0 {
			i = max(0, slices.IndexFunc(same, func(k *knownPage) bool { return path.Dir(k.source) == path.Dir(f.path) }))
		}
		f.known, same[i].file = same[i], f
		texts[f.text()] = slices.Delete(same, i, i+1)
		moved = append(moved, f)
	}
	p.settle(fsys, moved, pages)
}

// settle reverts assignments that leave a file or a page of the same path unmatched,
// unless the texts differ.
func (p *plan) settle(fsys fs.FS, moved []*file, pages map[string]*knownPage) {
	for _, f := range moved { // perhaps two files of one template were swapped, and one edited
		left, met := p.paths[f.known.source], pages[f.path]
		if left == nil || met == nil || left.known != nil || met.file != nil {
			continue
		}
		if own := left.sketch(fsys); likeness.Of(own, met.sketch) > likeness.Of(own, f.known.sketch) {
			left.known, met.file = met, left
		}
	}
	for again := true; again; {
		again = false
		for _, f := range moved {
			if f.known == nil {
				continue
			}
			left, met := p.paths[f.known.source], pages[f.path]
			if left != nil && left.known == nil && left.isLike(fsys, f.known) || met != nil && met.file == nil {
				f.known.file, f.known, again = nil, nil, true
			}
		}
	}
}

const (
	leastLikeness = 0.4       // of a new file and a gone page that match
	maxPairs      = 4_000_000 // of new files and gone pages to compare
)

// matchSimilar assigns the remaining files to pages by similarity, best first.
func (p *plan) matchSimilar(fsys fs.FS, pages []*knownPage) (moved []*file) {
	type pair struct {
		f        *file
		k        *knownPage
		likeness float64
	}
	var pairs []pair
	files := slices.DeleteFunc(slices.Clone(p.files), func(f *file) bool { return f.known != nil })
	if n := len(files) * len(pages); n == 0 || n > maxPairs {
		return nil
	}
	for _, f := range files {
		own := f.sketch(fsys)
		for _, k := range pages {
			if l := likeness.Of(own, k.sketch); l >= leastLikeness {
				pairs = append(pairs, pair{f, k, l})
			}
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(b.likeness, a.likeness) })
	for _, m := range pairs {
		if m.f.known == nil && m.k.file == nil {
			m.f.known, m.k.file = m.k, m.f
			moved = append(moved, m.f)
		}
	}
	return moved
}

// isLike reports whether the page at the path of f may have been made of f.
func (f *file) isLike(fsys fs.FS, k *knownPage) bool {
	return f.made || likeness.Of(f.sketch(fsys), k.sketch) >= leastLikeness
}

func (f *file) sketch(fsys fs.FS) likeness.Sample {
	content, _ := f.again(fsys) // on failure the page is refused later
	return likeness.Sketch(f.title + " " + content)
}
