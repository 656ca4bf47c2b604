package importer

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/octavo-docs/octavo"
)

// Action is the outcome for a file.
type Action string

// The actions. Skipped files made no page; their notes give the reason.
const (
	Created   Action = "created"
	Updated   Action = "updated"
	Deleted   Action = "deleted"
	Unchanged Action = "unchanged"
	Skipped   Action = "skipped"
)

// Note describes something that was not imported, or not as written.
type Note struct {
	Line    int    `json:"line"` // from 1, also for the whole file
	Message string `json:"message"`
	Here    string `json:"here,omitempty"` // local value that was kept though the file changed it too
	File    string `json:"file,omitempty"` // value in the file instead of it
	Kind    string `json:"kind,omitempty"` // category of a loss in an export
	Link    string `json:"-"`              // address of a broken link
}

// Entry is the report about one file.
type Entry struct {
	Path   string    `json:"path"` // in the tree, with forward slashes
	ID     octavo.ID `json:"id,omitempty"`
	Slug   string    `json:"slug,omitempty"`
	Action Action    `json:"action"`
	Notes  []Note    `json:"notes"` // by line
	Failed bool      `json:"-"`     // it was unreadable or refused
	kept   bool      // a local change was kept in a conflict
	gone   bool      // the page existed and its file is gone
}

func (e *Entry) note(line int, format string, args ...any) {
	e.Notes = append(e.Notes, Note{Line: max(line, 1), Message: fmt.Sprintf(format, args...)})
}

// skip marks the file as one that makes no page.
func (e *Entry) skip(line int, format string, args ...any) {
	e.Action = Skipped
	e.note(line, format, args...)
}

// skipped makes an entry for a file without a page. name may be invalid UTF-8.
func skipped(name, format string, args ...any) Entry {
	e := Entry{Path: strings.ToValidUTF8(name, "\uFFFD")}
	e.skip(1, format, args...)
	return e
}

// NoPages is the note of a tree without pages.
const NoPages = "there are no pages: their names end with .md, .mdx or .markdown"

// fail notes a failure of the target.
func (e *Entry) fail(format string, args ...any) {
	e.Failed = true
	e.skip(1, format, args...)
}

// Report is the outcome for every file, sorted by path.
type Report []Entry

func (r Report) sort() {
	slices.SortStableFunc(r, func(a, b Entry) int { return strings.Compare(a.Path, b.Path) })
	for _, e := range r {
		slices.SortStableFunc(e.Notes, func(a, b Note) int { return a.Line - b.Line })
	}
}

// Write writes one JSON object per file and line.
func (r Report) Write(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, e := range r {
		if e.Notes == nil {
			e.Notes = []Note{}
		}
		if err := enc.Encode(e); err != nil {
			return fmt.Errorf("write the report: %w", err)
		}
	}
	return nil
}

// Counts are the totals of a report.
type Counts struct {
	Created, Updated, Unchanged, Skipped int
	Failed                               int // included in the skipped
	Gone                                 int // pages whose file is gone, deleted or not
	Kept                                 int // pages with local changes kept in a conflict
	Notes                                int
}

func (r Report) Counts() Counts {
	var c Counts
	for _, e := range r {
		c.Notes += len(e.Notes)
		switch e.Action {
		case Created:
			c.Created++
		case Updated:
			c.Updated++
		case Unchanged:
			c.Unchanged++
		case Skipped:
			c.Skipped++
		}
		if e.Failed {
			c.Failed++
		}
		if e.kept {
			c.Kept++
		}
		if e.gone {
			c.Gone++
		}
	}
	return c
}

// progress counts steps: reading a file, or writing a page or an asset.
type progress struct {
	report func(done, total int)
	total  int

	mu   sync.Mutex
	done int
}

func (p *progress) step() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	p.report(p.done, p.total)
}

// left sets the remaining steps once the pages are known.
func (p *progress) left(steps int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.total = p.done + steps
}
