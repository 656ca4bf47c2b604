package adminapi

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
	"github.com/octavo-docs/octavo/internal/httpapi/rest"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

const (
	mediaJSONLines = "application/jsonl"
	mediaNDJSON    = "application/x-ndjson" // another name of the same
)

// auditSlice is how many entries an export reads at once.
const auditSlice = 500

// ListAudit returns one page of the audit log or, as JSON lines, all entries that match
// the filters.
func (o Operations) ListAudit(r *rest.Request) (*rest.Response, error) {
	p := r.Params()
	q := accounts.AuditQuery{Since: p.Time("since"), Newest: p.OneOf("sort", "createdAt", "-createdAt") == "-createdAt"}
	action, _ := p.Get("action")
	q.Action = octavo.AuditAction(action)
	q.Actor, _ = p.Get("actor")
	list := strings.Join([]string{"audit", action, q.Actor, strconv.FormatInt(q.Since.UnixNano(), 10), strconv.FormatBool(q.Newest)}, "\x01")
	media, err := r.Negotiate(rest.MediaJSON, mediaJSONLines, mediaNDJSON)
	if err != nil {
		return nil, err
	}
	if media == rest.MediaJSON {
		return rest.List(r, p, list, func(ctx context.Context, after *sqldb.Cursor, limit int) ([]octavo.AuditEntry, bool, error) {
			q.After, q.Limit = after, limit
			return o.Store.Accounts.Audit.List(ctx, q)
		}, accounts.AuditCursor, appendAudit)
	}
	q.Limit, q.After = p.Limit(), p.Cursor(list)
	if err := p.Faults.Err(); err != nil {
		return nil, err
	}
	return o.exportAudit(r, q, media)
}

// exportAudit streams one entry per line, reading as often as needed.
func (o Operations) exportAudit(r *rest.Request, q accounts.AuditQuery, media string) (*rest.Response, error) {
	q.Limit = auditSlice
	found, more, err := o.Store.Accounts.Audit.List(r.Context(), q) // before the response begins, so that a failure can be reported
	if err != nil {
		return nil, err
	}
	return &rest.Response{
		Status: http.StatusOK, ContentType: media, Header: map[string]string{"Cache-Control": "no-store"},
		Stream: func(write func([]byte) error) error {
			for {
				var lines []byte
				for _, e := range found {
					lines = append(appendAudit(lines, e), '\n')
				}
				if err := write(lines); err != nil || !more {
					return err
				}
				mark := accounts.AuditCursor(found[len(found)-1])
				q.After = &mark
				if found, more, err = o.Store.Accounts.Audit.List(r.Context(), q); err != nil {
					return err
				}
			}
		},
	}, nil
}

func appendAudit(dst []byte, e octavo.AuditEntry) []byte {
	text := func(name, value string) {
		if value != "" {
			dst = octavo.AppendString(append(append(append(dst, `,"`...), name...), `":`...), value)
		}
	}
	dst = octavo.AppendString(append(dst, `{"id":`...), string(e.ID))
	dst = octavo.AppendTime(append(dst, `,"createdAt":`...), e.CreatedAt)
	dst = append(append(dst, `,"actor":`...), rest.EncodeJSON(e.Actor)...)
	text("action", string(e.Action))
	text("subject", e.Subject)
	text("address", e.Address)
	text("traceId", e.TraceID)
	if len(e.Detail) > 0 {
		dst = append(append(dst, `,"detail":`...), rest.EncodeJSON(e.Detail)...)
	}
	return append(dst, '}')
}
