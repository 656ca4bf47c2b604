// Package summary summarises the report of an import, and writes it as an HTML page for
// people. Package importer makes the report.
package summary

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo/internal/document/reference"
	"github.com/octavo-docs/octavo/internal/importer"
	"github.com/octavo-docs/octavo/internal/importer/filename"
)

// Summary is what a report says in all.
type Summary struct {
	Name, System, Set string // of what was imported; System is "" for a tree of files
	DryRun            bool
	Counts            importer.Counts
	Through, Files    int // pages, pictures and the like that were imported, and all of them
	Kinds             []Kind
	Entries           []importer.Entry // those with notes
	More              int              // entries beyond the most that are listed
}

// Kind is how often something was noted.
type Kind struct {
	Name  string
	Count int
}

// mostEntries is how many files a page lists.
const mostEntries = 5_000

// Whole is the path of the entry about an export as a whole, which is no file.
const Whole = "."

// Of sums a report up.
func Of(r importer.Report) *Summary {
	s := &Summary{Counts: r.Counts()}
	count := map[string]int{}
	for _, e := range r {
		for _, n := range e.Notes {
			count[kindOf(n)]++
		}
		switch {
		case e.Path == Whole || e.Action == importer.Skipped && !isFile(e):
		case e.Action == importer.Skipped:
			s.Files++
		case e.Action != importer.Deleted:
			s.Files++
			s.Through++
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

// isFile reports whether an entry is about a page, a picture or the like that somebody
// made, not about a folder, a configuration, or a page that a generator made of the others.
func isFile(e importer.Entry) bool {
	isPage := reference.IsText(e.Path) || path.Ext(e.Path) == ".html"
	return (isPage || filename.IsMedia(e.Path)) && !slices.ContainsFunc(e.Notes, func(n importer.Note) bool {
		return n.Kind == "generated" || strings.HasPrefix(n.Message, "the folder ")
	})
}

// kinds are what notes of files begin with that are of a kind.
var kinds = [][2]string{
	{"the link to", "link"},
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
	if n.Kind != "" {
		return n.Kind
	}
	for _, k := range kinds {
		if strings.HasPrefix(n.Message, k[0]) {
			return k[1]
		}
	}
	return "other"
}

// Share is the share of files that were imported, such as "99.8 %". It is rounded down.
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

// WriteHTML writes the page. It needs no script and nothing from elsewhere.
func (s *Summary) WriteHTML(w io.Writer) error {
	if err := tmpl.Execute(w, s); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}
