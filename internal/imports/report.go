package imports

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/importer"
	"github.com/octavo-docs/octavo/internal/importer/summary"
	"github.com/octavo-docs/octavo/internal/moving"
	"github.com/octavo-docs/octavo/internal/store/importstore"
)

// Limits of a stored report.
const (
	maxNotes  = 100      // of a file
	maxNote   = 1000     // bytes of a note
	maxText   = 64 << 10 // bytes of each text
	maxReport = 64 << 20 // bytes in total; later files have no notes
)

// finish ends the job: it stores the lines of the report, then the outcome.
func (j *job) finish(ctx context.Context, status octavo.ImportStatus, problem *octavo.Problem) error {
	written, err := j.s.Store.Imports.AllWritten(ctx, j.ID)
	if err != nil {
		return err
	}
	sum := &octavo.ImportReport{From: j.Request.From, Set: cmp.Or(j.found.Set, j.Request.Set), ProposalID: j.made}
	if j.source != nil {
		sum.From = cmp.Or(j.source.System(j.found), moving.Files)
	}
	whole := summary.Of(j.report)
	n := whole.Counts
	if whole.Files > 0 {
		sum.Share = float64(whole.Through) / float64(whole.Files)
	}
	sum.Sums.Failed, sum.Sums.Gone, sum.Sums.Kept = n.Failed, n.Gone, n.Kept
	lines, err := encode(reportLines(j.report, written, sum), sum)
	if err != nil {
		return err
	}
	if err := j.s.Store.Imports.KeepLines(ctx, j.Import, lines); err != nil {
		return err
	}
	return j.s.Store.Imports.Finish(ctx, importstore.Outcome{Import: j.Import, Status: status, Done: j.progress(), Report: sum, Problem: problem})
}

// reportLines returns the lines of a report, sorted by path. A page written before a
// process was killed is reported as written, though it now matches its file. Pages deleted
// before are counted in sum.
func reportLines(r importer.Report, written map[octavo.ID]importstore.Written, sum *octavo.ImportReport) []octavo.ImportLine {
	lines := make([]octavo.ImportLine, 0, len(r))
	written = maps.Clone(written)
	maps.DeleteFunc(written, func(id octavo.ID, _ importstore.Written) bool { return id.Is(octavo.PrefixProposal) })
	for _, e := range r {
		// An import that ended early has not reached some files.
		l := octavo.ImportLine{Path: e.Path, ID: e.ID, Slug: e.Slug, Action: string(cmp.Or(e.Action, importer.Skipped)), Notes: make([]octavo.ImportNote, 0, len(e.Notes))}
		if !octavo.ValidIdentifier(string(e.ID)) || strings.HasPrefix(string(e.ID), "new_") {
			l.ID = "" // the page does not exist yet
		}
		if w, found := written[e.ID]; found {
			delete(written, e.ID)
			l.Action = w.Action
		}
		for _, note := range e.Notes {
			l.Notes = append(l.Notes, octavo.ImportNote{Line: note.Line, Message: note.Message, Kind: note.Kind, Here: note.Here, File: note.File})
		}
		lines = append(lines, l)
	}
	for id, w := range written {
		if w.Action == string(importer.Deleted) {
			sum.Sums.Gone++
		}
		lines = append(lines, octavo.ImportLine{Path: w.Path, ID: id, Action: w.Action, Notes: []octavo.ImportNote{}})
	}
	slices.SortStableFunc(lines, func(a, b octavo.ImportLine) int { return strings.Compare(a.Path, b.Path) })
	return lines
}

func encode(lines []octavo.ImportLine, sum *octavo.ImportReport) ([][]byte, error) {
	all, size := make([][]byte, 0, len(lines)), 0
	n := &sum.Sums
	for _, l := range lines {
		n.Notes += len(l.Notes)
		*map[string]*int{
			string(importer.Created): &n.Created, string(importer.Updated): &n.Updated, string(importer.Unchanged): &n.Unchanged,
			string(importer.Deleted): &n.Deleted, string(importer.Skipped): &n.Skipped,
		}[l.Action]++
		most := maxNotes
		if size > maxReport {
			most = 0
		}
		if left := len(l.Notes) - most; left > 0 {
			l.Notes = append(l.Notes[:most:most], octavo.ImportNote{Line: 1, Message: fmt.Sprintf("%d more notes are left out", left)})
		}
		for i := range l.Notes {
			note := &l.Notes[i]
			note.Message, note.Here, note.File = shortened(note.Message, maxNote), shortened(note.Here, maxText), shortened(note.File, maxText)
		}
		text, err := json.Marshal(l)
		if err != nil {
			return nil, fmt.Errorf("encode the report: %w", err)
		}
		size += len(text)
		all = append(all, text)
	}
	return all, nil
}

// shortened returns the start of a long text.
func shortened(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
