package rest

import (
	"context"
	"net/http"
	"strconv"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/deflate"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// List returns one page of a list; name distinguishes it from all others. There is a
// cursor exactly if more items follow.
func List[T any](r *Request, p *Params, name string, read func(ctx context.Context, after *sqldb.Cursor, limit int) (items []T, more bool, err error),
	mark func(T) sqldb.Cursor, appendItem func([]byte, T) []byte,
) (*Response, error) {
	limit, after := p.Limit(), p.Cursor(name)
	if err := p.Faults.Err(); err != nil {
		return nil, err
	}
	var items []T
	var more bool
	err := r.BoundedList(limit, func(ctx context.Context, limit int) (_ int, err error) {
		items, more, err = read(ctx, after, limit)
		return 0, err
	})
	if err != nil {
		return nil, err
	}
	body := append(make([]byte, 0, 4096*(len(items)+1)), listStart...)
	for i, item := range items {
		if i > 0 {
			body = append(body, ',')
		}
		body = appendItem(body, item)
	}
	cursor := ""
	if more {
		cursor = r.Cursor(name, mark(items[len(items)-1]))
	}
	return JSON(http.StatusOK, appendPagination(body, limit, cursor)), nil
}

// ListByID is List in the order of identifiers.
func ListByID[T any](r *Request, p *Params, name string, read func(ctx context.Context, after octavo.ID, limit int) ([]T, bool, error),
	id func(T) octavo.ID, appendItem func([]byte, T) []byte,
) (*Response, error) {
	return List(r, p, name, func(ctx context.Context, after *sqldb.Cursor, limit int) ([]T, bool, error) {
		if after == nil {
			after = &sqldb.Cursor{}
		}
		return read(ctx, after.ID, limit)
	}, func(item T) sqldb.Cursor { return sqldb.Cursor{ID: id(item)} }, appendItem)
}

// ListPieces encodes a list of encoded items; piece returns one.
func ListPieces[T any](items []T, piece func(T) deflate.Piece, limit int, cursor string) []deflate.Piece {
	pieces := make([]deflate.Piece, 0, 2*len(items)+1)
	before := listStart
	for _, item := range items {
		pieces = append(pieces, deflate.Piece{Plain: []byte(before)}, piece(item))
		before = ","
	}
	end := []byte{}
	if len(items) == 0 {
		end = append(end, listStart...)
	}
	return append(pieces, deflate.Piece{Plain: appendPagination(end, limit, cursor)})
}

const listStart = `{"data":[`

// appendPagination ends a list.
func appendPagination(dst []byte, limit int, cursor string) []byte {
	dst = append(dst, `],"pagination":{`...)
	if cursor != "" {
		dst = octavo.AppendString(append(dst, `"cursor":`...), cursor)
		dst = append(dst, ',')
	}
	dst = strconv.AppendInt(append(dst, `"limit":`...), int64(limit), 10)
	dst = strconv.AppendBool(append(dst, `,"hasMore":`...), cursor != "")
	return append(dst, `}}`...)
}

// AppendAny encodes an item of the smaller lists.
func AppendAny[T any](dst []byte, item T) []byte { return append(dst, EncodeJSON(item)...) }
