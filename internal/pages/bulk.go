package pages

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// BulkResult is the outcome of one bulk operation: the resulting page, none
// after a deletion, or the error.
type BulkResult struct {
	Status int // 201, 200 or 204; 0 with Err
	Page   *octavo.Page
	Err    error
}

// BulkCause is a cause whose response is made from all results.
type BulkCause struct {
	sqldb.Cause
	Reply   func([]BulkResult) sqldb.Response
	IfMatch func(field string) (sqldb.IfMatch, error) // reads an If-Match field value

	// Room, if non-nil, is called in the transaction with the total text
	// size of the response so far. Its error ends the request, and nothing
	// is stored. A short change may leave a long page.
	Room func(text int) error

	// Within, if non-nil, is called in the transaction after all operations.
	// Its error undoes them.
	Within func(tx *sqldb.Tx, results []BulkResult) error
}

// Bulk runs the operations of a request in one transaction. If it is atomic,
// the first error undoes everything and is returned. Otherwise each
// operation succeeds or fails by itself, and has its own result.
func (s *Service) Bulk(ctx context.Context, cause BulkCause, bulk octavo.Bulk) ([]BulkResult, error) {
	if bulk.Atomic {
		if err := firstErrors(bulk); err != nil {
			return nil, err
		}
	}
	created := make([]pagestore.NewPage, len(bulk.Operations))
	for i, op := range bulk.Operations {
		if op.Op == octavo.BulkCreate && op.Err == nil {
			created[i] = bulkPage(op)
			s.pages.Prepare(&created[i])
		}
	}
	var results []BulkResult
	c := replying(cause.Cause, func() sqldb.Response { return cause.Reply(results) })
	err := s.db.Write(ctx, c, func(tx *sqldb.Tx) error {
		results = make([]BulkResult, len(bulk.Operations))
		b := batch{
			tx: tx, store: s.pages, parse: cause.IfMatch, operations: bulk.Operations, pages: created, results: results,
			answered: &weight{room: cause.Room, texts: make([]int, len(results))},
		}
		err := b.runAll(bulk.Atomic)
		if errors.Is(err, errAnswerTooLarge) {
			return b.answered.full
		}
		if err == nil && cause.Within != nil {
			err = cause.Within(tx, results)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return results, nil
}

// batch is a request's operations in their transaction.
type batch struct {
	tx         *sqldb.Tx
	store      *pagestore.Pages
	parse      func(string) (sqldb.IfMatch, error)
	operations []octavo.BulkOperation
	pages      []pagestore.NewPage // of the operations that create one
	results    []BulkResult
	answered   *weight
}

// errAnswerTooLarge ends a request whose response is too large. It is not a
// refusal of the last operation.
var errAnswerTooLarge = errors.New("there is no memory for the response")

// weight is the text size of the pages in the response, in bytes.
type weight struct {
	texts []int // by operation; some run twice
	total int
	room  func(total int) error
	full  error // the last error of room
}

func (w *weight) set(i int, p *octavo.Page) error {
	if p == nil || w.room == nil {
		return nil
	}
	text := len(p.Content) + len(p.Frontmatter) + len(p.Links)
	w.total += text - w.texts[i]
	w.texts[i] = text
	if w.full = w.room(w.total); w.full != nil {
		return errAnswerTooLarge
	}
	return nil
}

// runAll runs all operations, each separately unless they are atomic.
func (b batch) runAll(atomic bool) error {
	if atomic {
		// Each keeps transactions of several operations from locking the
		// same pages in different orders.
		return b.tx.Each(func(*sqldb.Tx) error { return b.run(0, len(b.results)) })
	}
	refusals, err := b.tx.Steps(len(b.results), func(i int) error { return b.run(i, i+1) })
	for i, refusal := range refusals {
		if refusal != nil {
			b.results[i] = BulkResult{Err: refusal}
		}
	}
	return err
}

// run carries out the operations [from, to) and stops at the first error.
func (b batch) run(from, to int) error {
	for i := from; i < to; i++ {
		b.results[i] = BulkResult{}
		if err := b.results[i].run(b.tx, b.store, b.operations[i], b.pages[i], b.parse); err != nil {
			return locate(err, b.operations[i], i)
		}
		if err := b.answered.set(i, b.results[i].Page); err != nil {
			return err
		}
	}
	return nil
}

// firstErrors collects the errors of all operations, since an atomic request
// fails with any of them.
func firstErrors(bulk octavo.Bulk) error {
	var faults octavo.Faults
	for _, op := range bulk.Operations {
		faults.Merge(op.Err)
	}
	return faults.Err()
}

func (r *BulkResult) run(tx *sqldb.Tx, pages *pagestore.Pages, op octavo.BulkOperation, created pagestore.NewPage, parse func(string) (sqldb.IfMatch, error)) error {
	if op.Err != nil {
		return op.Err
	}
	var match sqldb.IfMatch
	if op.IfMatch != "" {
		m, err := parse(op.IfMatch)
		if err != nil {
			return octavo.Invalid("/ifMatch", "must be an entity tag, several of them, or *")
		}
		match = m
	}
	var page octavo.Page
	var err error
	switch op.Op {
	case octavo.BulkCreate:
		r.Status = http.StatusCreated
		page, err = pages.Create(tx, created)
	case octavo.BulkUpdate:
		r.Status = http.StatusOK
		page, err = pages.Update(tx, op.ID, bulkChange(op), match)
	case octavo.BulkDelete:
		r.Status = http.StatusNoContent
		return pages.Delete(tx, op.ID, pagestore.ChildrenPolicy(op.Children), match)
	}
	r.Page = &page
	return err
}

func bulkPage(op octavo.BulkOperation) pagestore.NewPage {
	n := newPage(*op.Create)
	if op.ParentID != nil {
		n.ParentID = *op.ParentID
	}
	if op.Position != nil {
		n.Position = op.Position.Value
	}
	if op.Source != nil {
		n.Path = *op.Source
	}
	if op.ImportSet != nil {
		n.ImportSet = *op.ImportSet
	}
	if op.Language != nil {
		n.Language = *op.Language
	}
	if op.RawFront != nil {
		n.RawFront = []byte(*op.RawFront)
	}
	n.FormerSlugs, n.Imported = op.FormerSlugs, op.Imported
	return n
}

func bulkChange(op octavo.BulkOperation) pagestore.Change {
	var c pagestore.Change
	if op.Create != nil {
		c = replaceChange(*op.Create)
	} else if op.Patch != nil {
		c = patchChange(*op.Patch)
	}
	if op.ParentID != nil {
		c.ParentID = op.ParentID
	}
	if op.Position != nil {
		c.Position = op.Position
	}
	if op.RawFront != nil {
		raw := []byte(*op.RawFront)
		c.RawFront = &raw
	}
	c.FormerSlugs, c.Path, c.ImportSet, c.Language = op.FormerSlugs, op.Source, op.ImportSet, op.Language
	c.Imported = op.Imported
	return c
}

// locate makes the field paths of an operation's error start at the root of
// the body. Errors from decoding already do.
func locate(err error, op octavo.BulkOperation, i int) error {
	var e *octavo.Error
	if !errors.As(err, &e) {
		return fmt.Errorf("bulk operation %d: %w", i, err)
	}
	if errors.Is(err, op.Err) {
		return err
	}
	base := octavo.PointerIndex("/operations", i)
	located := *e
	located.Fields = nil
	for _, f := range e.Fields {
		path := base + f.Path
		if f.Path == "/slug" || f.Path == "/parentId" && op.ParentID == nil {
			path = base + "/page" + f.Path
		}
		located.Fields = append(located.Fields, octavo.FieldError{Path: path, Message: f.Message})
	}
	if located.Fields == nil {
		located.Fields = []octavo.FieldError{{Path: base, Message: e.Detail}}
	}
	return &located
}
