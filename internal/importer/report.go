package importer

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo"
)

// Action is what became of a file.
type Action string

// The actions. Skipped files made no page; their notes say why.
const (
	Created   Action = "created"
	Updated   Action = "updated"
	Deleted   Action = "deleted"
	Unchanged Action = "unchanged"
	Skipped   Action = "skipped"
)

// Note is something about a file that was not imported, or not as it was
// written.
type Note struct {
	Line    int    `json:"line"` // counts from 1; 1 where the whole file is meant
	Message string `json:"message"`
	Here    string `json:"here,omitempty"` // what stays as it is here, though the file changed it too
	File    string `json:"file,omitempty"` // what the file has in its place
	Kind    string `json:"kind,omitempty"` // of what an export lost, in a word
	Link    string `json:"-"`              // the address that the note is about, where it leads to no page
}

// Entry is what the report says about one file.
type Entry struct {
	Path   string    `json:"path"` // in the tree, with forward slashes
	ID     octavo.ID `json:"id,omitempty"`
	Slug   string    `json:"slug,omitempty"`
	Action Action    `json:"action"`
	Notes  []Note    `json:"notes"` // by line
	Failed bool      `json:"-"`     // it could not be read, or was refused
	kept   bool      // something was changed here and in the file, and stays
	gone   bool      // the page was there before, and its file is gone
}

// note adds a note.
func (e *Entry) note(line int, format string, args ...any) {
	e.Notes = append(e.Notes, Note{Line: max(line, 1), Message: fmt.Sprintf(format, args...)})
}

// skip marks the file as one that makes no page.
func (e *Entry) skip(line int, format string, args ...any) {
	e.Action = Skipped
	e.note(line, format, args...)
}

// skipped is the entry of what makes no page. Its path may be no valid text.
func skipped(name, format string, args ...any) Entry {
	e := Entry{Path: strings.ToValidUTF8(name, "\uFFFD")}
	e.skip(1, format, args...)
	return e
}

// fail says why the target did not do what was asked of it.
func (e *Entry) fail(format string, args ...any) {
	e.Failed = true
	e.skip(1, format, args...)
}

// Report tells what became of every file, in the order of their paths.
type Report []Entry

// sort brings entries and their notes into order.
func (r Report) sort() {
	slices.SortStableFunc(r, func(a, b Entry) int { return strings.Compare(a.Path, b.Path) })
	for _, e := range r {
		slices.SortStableFunc(e.Notes, func(a, b Note) int { return a.Line - b.Line })
	}
}

// Write writes one JSON object per file, each on a line of its own.
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

// Counts sums a report up.
type Counts struct {
	Created, Updated, Unchanged, Skipped int
	Failed                               int // of the skipped
	Gone                                 int // pages whose file is gone, whatever was done about them
	Kept                                 int // pages of which something stays that their file changed too
	Notes                                int
}

// Counts returns how many files had which outcome.
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
