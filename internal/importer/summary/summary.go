// Package summary summarises the report of an import as an HTML page. Package importer
// makes the report.
package summary

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/document/reference"
	"github.com/octavo-docs/octavo/internal/importer"
	"github.com/octavo-docs/octavo/internal/importer/filename"
)

// Summary is the totals of a report.
type Summary struct {
	Name, System, Set string // of the import; System is "" for a tree of files
	DryRun            bool
	Counts            importer.Counts
	Through, Files    int // imported pages and media, and all of them
	Kinds             []Kind
	Entries           []importer.Entry // those with notes
	More              int              // entries beyond the limit
}

// Kind is a category of notes and its count.
type Kind struct {
	Name  string
	Count int
}

// mostEntries limits the files listed on a page.
const mostEntries = 5_000

// Whole is the path of the entry about an export as a whole.
const Whole = "."

// Of summarises a report.
func Of(r importer.Report) *Summary {
	s := &Summary{Counts: r.Counts()}
	count := map[string]int{}
	for _, e := range r {
		for _, n := range e.Notes {
			count[kindOf(n)]++
		}
		through := slices.Contains([]importer.Action{importer.Created, importer.Updated, importer.Unchanged}, e.Action)
		if e.Path != Whole && (through || isFile(e)) && !isGone(e) {
			s.Files++
			if through {
				s.Through++
			}
		}
		switch {
		case len(e.Notes) > 0 && len(s.Entries) < mostEntries:
			s.Entries = append(s.Entries, e)
		case len(e.Notes) > 0:
			s.More++
		}
	}
	for name, n := range count {
		s.Kinds = append(s.Kinds, Kind{name, n})
	}
	slices.SortFunc(s.Kinds, func(a, b Kind) int {
		if a.Count != b.Count {
			return b.Count - a.Count
		}
		return strings.Compare(a.Name, b.Name)
	})
	return s
}

// isFile reports whether an entry is about a written page or media file, not a folder, a
// configuration or a generated page.
func isFile(e importer.Entry) bool {
	isHTML := path.Ext(e.Path) == ".html"
	return (reference.IsText(e.Path) || isHTML || filename.IsMedia(e.Path)) && !slices.ContainsFunc(e.Notes, func(n importer.Note) bool {
		template := isHTML && strings.HasPrefix(n.Message, "no page refers")
		return template || n.Kind == "generated" || strings.HasPrefix(n.Message, "the folder ")
	})
}

// isGone reports whether an entry is about a page whose file is not in the tree.
func isGone(e importer.Entry) bool {
	return slices.ContainsFunc(e.Notes, func(n importer.Note) bool { return kindOf(n) == "gone" })
}

// kinds are the prefixes of notes about files, by category.
var kinds = [][2]string{
	{"the link to", "link"},
	{"the file no longer exists", "gone"},
	{"the file ", "picture or file"},
	{"no page refers", "file without a page"},
	{"nothing redirects", "redirect"},
	{"template tags", "template"},
	{"includes ", "include"},
	{"the folder ", "folder"},
	{"the path ", "slug"},
	{"the slug ", "slug"},
}

func kindOf(n importer.Note) string {
	switch {
	case n.Kind != "":
		return n.Kind
	case n.Here != "" || n.File != "":
		return "changed on both sides"
	}
	for _, k := range kinds {
		if strings.HasPrefix(n.Message, k[0]) {
			return k[1]
		}
	}
	return "other"
}

// Share is the percentage of imported files, such as "99.8 %", rounded down.
func (s *Summary) Share() string {
	if s.Through == s.Files {
		return "100 %"
	}
	tenths := s.Through * 1000 / s.Files
	return fmt.Sprintf("%d.%d %%", tenths/10, tenths%10)
}

//go:embed summary.html
var page string

var tmpl = template.Must(template.New("summary").Parse(page))

// WriteHTML writes the page, which needs no script and no external resources.
func (s *Summary) WriteHTML(w io.Writer) error {
	return octavo.Wrapf(tmpl.Execute(w, s), "write the report")
}
