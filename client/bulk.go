package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/octavo-docs/octavo"
)

// BulkResult is the result of one operation. Status is that of the same request
// by itself, such as 201, 200, 204 or 409.
type BulkResult struct {
	Status  int             `json:"status"`
	Page    *octavo.Page    `json:"page"`    // nil after a deletion and on failure
	Problem *octavo.Problem `json:"problem"` // nil on success
}

// Bulk sends operations and returns a result for each, in the same order. With
// b.Atomic it sends one request, and either all succeed or none. Otherwise it
// sends as many requests as the limits of the server need, one after the other,
// and each operation succeeds or fails by itself. If a request fails, Bulk
// returns the results so far with the error.
func (c *Client) Bulk(ctx context.Context, b octavo.Bulk, opts ...CallOption) ([]BulkResult, error) {
	if b.Atomic {
		if len(b.Operations) > octavo.MaxBulk {
			return nil, fmt.Errorf("an atomic bulk request may have at most %d operations; this one has %d", octavo.MaxBulk, len(b.Operations))
		}
		encoded := make([][]byte, len(b.Operations))
		for i, op := range b.Operations {
			encoded[i] = appendOperation(nil, op)
		}
		return c.bulk(ctx, true, encoded, opts)
	}
	var results []BulkResult
	var encoded [][]byte
	size, requests := 0, 0
	next := func() []CallOption {
		requests++
		return append(opts[:len(opts):len(opts)], numberedKey(requests))
	}
	flush := func() error {
		if len(encoded) == 0 {
			return nil
		}
		part, err := c.divide(ctx, encoded, next)
		results = append(results, part...)
		encoded, size = nil, 0
		return err
	}
	for _, op := range b.Operations {
		text := appendOperation(nil, op)
		if len(encoded) == octavo.MaxBulk || size+len(text)+bulkOverhead > c.maxBody {
			if err := flush(); err != nil {
				return results, err
			}
		}
		if len(text)+bulkOverhead > c.maxBody {
			results = append(results, tooLarge(len(text), c.maxBody))
			continue
		}
		encoded = append(encoded, text)
		size += len(text) + 1
	}
	return results, flush()
}

// divide sends operations that are not atomic. If the server refuses them because
// their pages are too much for one response, it sends them in halves. next returns
// the options of each further request.
func (c *Client) divide(ctx context.Context, operations [][]byte, next func() []CallOption) ([]BulkResult, error) {
	results, err := c.bulk(ctx, false, operations, next())
	var refused *Problem
	if half := len(operations) / 2; half > 0 && errors.As(err, &refused) && refused.Status == http.StatusRequestEntityTooLarge {
		if results, err = c.divide(ctx, operations[:half], next); err == nil {
			var rest []BulkResult
			rest, err = c.divide(ctx, operations[half:], next)
			results = append(results, rest...)
		}
	}
	return results, err
}

// numberedKey makes the caller's Idempotency-Key differ in each request of
// one Bulk, since the requests differ.
func numberedKey(n int) CallOption {
	return func(r *request) {
		if key := r.header.Get("Idempotency-Key"); key != "" && n > 1 {
			r.header.Set("Idempotency-Key", fmt.Sprintf("%s-%d", key, n))
		}
	}
}

// bulkOverhead is more than what surrounds the operations of a request.
const bulkOverhead = 64

// tooLarge is the result of an operation that no request can hold.
func tooLarge(size, limit int) BulkResult {
	info := octavo.TooLarge.Info()
	return BulkResult{Status: info.Status, Problem: &octavo.Problem{
		Type: "/problems/" + string(info.Type), Title: info.Title, Status: info.Status,
		Detail: fmt.Sprintf("The operation takes %d bytes; a request holds at most %d.", size, limit),
	}}
}

// bulk sends one bulk request.
func (c *Client) bulk(ctx context.Context, atomic bool, operations [][]byte, opts []CallOption) ([]BulkResult, error) {
	body := fmt.Appendf(nil, `{"atomic":%t,"operations":[`, atomic)
	for i, op := range operations {
		if i > 0 {
			body = append(body, ',')
		}
		body = append(body, op...)
	}
	body = append(body, "]}"...)
	var answer struct {
		Results []BulkResult `json:"results"`
	}
	_, err := c.do(ctx, request{method: http.MethodPost, path: "/pages/bulk", body: body, into: &answer}, opts)
	if err == nil && len(answer.Results) != len(operations) {
		err = fmt.Errorf("the response has results for %d of %d bulk operations", len(answer.Results), len(operations))
	}
	return answer.Results, err
}

// appendOperation appends op as JSON.
func appendOperation(dst []byte, op octavo.BulkOperation) []byte {
	o := objectWriter{dst: append(dst, '{')}
	o.str("op", string(op.Op))
	if op.ID != "" {
		o.str("id", string(op.ID))
	}
	if op.IfMatch != "" {
		o.str("ifMatch", op.IfMatch)
	}
	switch {
	case op.Create != nil:
		o.name("page")
		o.dst = appendPageCreate(o.dst, *op.Create)
	case op.Patch != nil:
		o.name("page")
		o.dst = appendPagePatch(o.dst, *op.Patch)
	}
	if op.ParentID != nil {
		o.parent(*op.ParentID)
	}
	if op.Position != nil {
		o.position(op.Position.Value)
	}
	if len(op.FormerSlugs) > 0 {
		o.name("formerSlugs")
		for i, slug := range op.FormerSlugs {
			open := byte('[')
			if i > 0 {
				open = ','
			}
			o.dst = octavo.AppendString(append(o.dst, open), slug)
		}
		o.dst = append(o.dst, ']')
	}
	if op.Source != nil {
		o.str("source", *op.Source)
	}
	if op.ImportSet != nil {
		o.str("importSet", *op.ImportSet)
	}
	if op.Language != nil {
		o.str("language", *op.Language)
	}
	if op.Children != "" {
		o.str("children", op.Children)
	}
	if op.RawFront != nil {
		o.str("rawFrontmatter", *op.RawFront)
	}
	if op.Imported != nil {
		o.name("imported")
		o.dst = append(o.dst, op.Imported...)
	}
	return append(o.dst, '}')
}
