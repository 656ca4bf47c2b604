package pages

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
)

// BulkResult is the outcome of one bulk operation: the page it left behind,
// none after a deletion, or the error.
type BulkResult struct {
	Status int // 201, 200 or 204; 0 with Err
	Page   *octavo.Page
	Err    error
}

// BulkCause is a cause whose answer is made from all results.
type BulkCause struct {
	store.Cause
	Reply   func([]BulkResult) store.Response
	IfMatch func(field string) (store.IfMatch, error) // reads an If-Match field value

	// Room, unless nil, is told in the transaction how many bytes of text the
	// pages have that are to be answered so far. Its error ends the request,
	// and nothing is kept. A short change may leave a long page behind.
	Room func(text int) error
}

// Bulk carries out the operations of a request in one transaction. Where it is
// atomic, the first error undoes everything and is returned; else each
// operation stands or falls by itself and has its own result.
func (s *Service) Bulk(ctx context.Context, cause BulkCause, bulk octavo.Bulk) ([]BulkResult, error) {
	if bulk.Atomic {
		if err := firstErrors(bulk); err != nil {
			return nil, err
		}
	}
	created := make([]store.NewPage, len(bulk.Operations))
	for i, op := range bulk.Operations {
		if op.Op == octavo.BulkCreate && op.Err == nil {
			created[i] = bulkPage(op)
			s.store.Prepare(&created[i])
		}
	}
	var results []BulkResult
	c := replying(cause.Cause, func() store.Response { return cause.Reply(results) })
	err := s.store.Write(ctx, c, func(tx *store.Tx) error {
		results = make([]BulkResult, len(bulk.Operations))
		b := batch{
			tx: tx, parse: cause.IfMatch, operations: bulk.Operations, pages: created, results: results,
			answered: &weight{room: cause.Room},
		}
		if bulk.Atomic {
			// Each keeps transactions of several operations from locking the
			// same pages in different orders.
			return tx.Each(func(tx *store.Tx) error {
				b.tx = tx
				return b.run(0, len(results))
			})
		}
		for from := 0; from < len(results); from += bulkChunk {
			if err := b.each(from, min(from+bulkChunk, len(results))); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return results, nil
}

// bulkChunk is how many operations are tried under one savepoint. A savepoint
// for each costs a good deal more, and is needed only where one is refused.
const bulkChunk = 100

// batch is the operations of a request within their transaction.
type batch struct {
	tx         *store.Tx
	parse      func(string) (store.IfMatch, error)
	operations []octavo.BulkOperation
	pages      []store.NewPage // of the operations that create one
	results    []BulkResult
	answered   *weight
}

// weight is the text of the pages that are to be answered.
type weight struct {
	text int // bytes
	room func(text int) error
	full error // what room said in the end
}

func (w *weight) add(p *octavo.Page) error {
	if p == nil || w.room == nil {
		return nil
	}
	w.text += len(p.Content) + len(p.Frontmatter) + len(p.Links)
	w.full = w.room(w.text)
	return w.full
}

// run carries out the operations [from, to) and stops at the first error.
func (b batch) run(from, to int) error {
	for i := from; i < to; i++ {
		b.results[i] = BulkResult{}
		if err := b.results[i].run(b.tx, b.operations[i], b.pages[i], b.parse); err != nil {
			return locate(err, b.operations[i], i)
		}
		if err := b.answered.add(b.results[i].Page); err != nil {
			return err
		}
	}
	return nil
}

// each carries out the operations [from, to) so that one that is refused
// leaves the others alone: all together, and when that fails, each by itself.
func (b batch) each(from, to int) error {
	before := b.answered.text
	err := b.tx.Each(func(tx *store.Tx) error {
		b.tx = tx
		return b.run(from, to)
	})
	var refused *octavo.Error
	if err == nil || b.answered.full != nil || !errors.As(err, &refused) {
		return err
	}
	b.answered.text = before
	if to-from == 1 {
		b.results[from] = BulkResult{Err: err}
		return nil
	}
	for i := from; i < to; i++ {
		if err := b.each(i, i+1); err != nil {
			return err
		}
	}
	return nil
}

// firstErrors gathers the faults of all operations, since an atomic request
// fails with any of them.
func firstErrors(bulk octavo.Bulk) error {
	var faults octavo.Faults
	for _, op := range bulk.Operations {
		faults.Merge(op.Err)
	}
	return faults.Err()
}

func (r *BulkResult) run(tx *store.Tx, op octavo.BulkOperation, created store.NewPage, parse func(string) (store.IfMatch, error)) error {
	if op.Err != nil {
		return op.Err
	}
	var match store.IfMatch
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
		page, err = tx.CreatePage(created)
	case octavo.BulkUpdate:
		r.Status = http.StatusOK
		page, err = tx.UpdatePage(op.ID, bulkChange(op), match)
	case octavo.BulkDelete:
		r.Status = http.StatusNoContent
		return tx.DeletePage(op.ID, store.ChildrenRefuse, match)
	}
	r.Page = &page
	return err
}

func bulkPage(op octavo.BulkOperation) store.NewPage {
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
	if op.RawFront != nil {
		n.RawFront = []byte(*op.RawFront)
	}
	n.FormerSlugs = op.FormerSlugs
	return n
}

func bulkChange(op octavo.BulkOperation) store.PageChange {
	var c store.PageChange
	if op.Create != nil {
		c = replaceChange(*op.Create)
	} else {
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
	c.FormerSlugs, c.Path = op.FormerSlugs, op.Source
	return c
}

// locate makes the field paths of an operation's error start at the body's
// root. Faults found while decoding do so already.
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
