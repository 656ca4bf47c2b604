package search

import (
	"context"
	"fmt"
	"sync"

	"github.com/octavo-docs/octavo/internal/search/segment"
)

// Change is the new state of a page: its document, or nil if it is gone.
type Change struct {
	ID       string
	Document *Document
}

// Limits of one segment built from documents.
const (
	maxBatch      = 500     // documents
	maxBatchBytes = 8 << 20 // of text
)

// Apply applies changes, which bring the index to a position of the log. Queries that
// start after it returns see all of them. If a page occurs more than once, the last
// change counts. It fails only if the context ends, and then has changed nothing.
func (i *Index) Apply(ctx context.Context, position int64, changes []Change) error {
	i.applying.Lock()
	defer i.applying.Unlock()
	last := make(map[string]int, len(changes))
	for n, c := range changes {
		last[c.ID] = n
	}
	var published, other []Document
	for n, c := range changes {
		if c.Document == nil || last[c.ID] != n {
			continue
		}
		document := *c.Document
		document.ID = c.ID
		if document.Published {
			published = append(published, document)
		} else {
			other = append(other, document)
		}
	}
	batches := append(batchesOf(published), batchesOf(other)...)
	parts, err := i.build(ctx, batches)
	if err != nil {
		return fmt.Errorf("indexing %d changes: %w", len(changes), err)
	}
	i.replace(func(v *view) {
		v.position = max(v.position, position)
		for n, p := range v.parts {
			v.parts[n] = p.without(found(p, last))
		}
		v.parts = append(v.parts, parts...)
	})
	select {
	case i.grown <- struct{}{}:
	default:
	}
	return i.holdBack(ctx)
}

// found returns the documents of a part that are among the changed ones.
func found(p *part, changed map[string]int) []uint32 {
	var docs []uint32
	for id := range changed {
		if doc, there := p.Lookup(id); there {
			docs = append(docs, doc)
		}
	}
	return docs
}

// batchesOf divides documents into batches of limited size.
func batchesOf(documents []Document) [][]Document {
	var batches [][]Document
	for len(documents) > 0 {
		n, size := 0, 0
		for n < len(documents) && n < maxBatch && (n == 0 || size < maxBatchBytes) {
			for _, s := range documents[n].Sections {
				size += len(s.Text) + len(s.Code) + len(s.Heading)
			}
			n++
		}
		batches = append(batches, documents[:n])
		documents = documents[n:]
	}
	return batches
}

// build makes a part from each batch.
func (i *Index) build(ctx context.Context, batches [][]Document) ([]*part, error) {
	parts := make([]*part, len(batches))
	work := make(chan int)
	var builders sync.WaitGroup
	for range min(i.config.Builders, len(batches)) {
		builders.Go(func() {
			b, _ := i.builders.Get().(*segment.Builder)
			defer i.builders.Put(b)
			for n := range work {
				parts[n] = newPart(b.Build(batches[n]), batches[n][0].Published)
			}
		})
	}
	for n := range batches {
		if ctx.Err() != nil {
			break
		}
		work <- n
	}
	close(work)
	builders.Wait()
	return parts, ctx.Err()
}
