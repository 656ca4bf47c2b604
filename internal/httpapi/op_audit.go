package httpapi

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
)

const (
	mediaJSONLines = "application/jsonl"
	mediaNDJSON    = "application/x-ndjson" // another name of the same
)

// auditSlice is how many entries an export reads at once.
const auditSlice = 500

// listAudit answers with a slice of the audit log or, as JSON lines, with all
// of it that the filters let through.
func (a *API) listAudit(r *request) (*response, error) {
	p := readParams(r)
	q := store.AuditQuery{
		Since: p.time("since"), Newest: p.oneOf("sort", "createdAt", "-createdAt") == "-createdAt", Limit: p.limit(),
	}
	action, _ := p.get("action")
	q.Action = octavo.AuditAction(action)
	q.Actor, _ = p.get("actor")
	list := strings.Join([]string{"audit", action, q.Actor, strconv.FormatInt(q.Since.UnixNano(), 10), strconv.FormatBool(q.Newest)}, "\x01")
	q.After = p.cursor(a.cursors, list)
	if err := p.faults.Err(); err != nil {
		return nil, err
	}
	media, err := negotiate(r, mediaJSON, mediaJSONLines, mediaNDJSON)
	if err != nil {
		return nil, err
	}
	if media != mediaJSON {
		return a.exportAudit(r, q, media)
	}
	found, more, err := a.Audit.ListAudit(r.Context(), q)
	if err != nil {
		return nil, err
	}
	cursor := ""
	if more {
		cursor = a.cursors.encode(list, store.AuditMark(found[len(found)-1]))
	}
	return listResponse(found, appendAudit, q.Limit, cursor), nil
}

// exportAudit answers with one entry per line, in as many slices as it takes.
func (a *API) exportAudit(r *request, q store.AuditQuery, media string) (*response, error) {
	q.Limit = auditSlice
	found, more, err := a.Audit.ListAudit(r.Context(), q) // before the answer begins, so that a failure can be told
	if err != nil {
		return nil, err
	}
	return &response{
		status: http.StatusOK, contentType: media, header: map[string]string{"Cache-Control": "no-store"},
		stream: func(write func([]byte) error) error {
			for {
				var lines []byte
				for _, e := range found {
					lines = append(appendAudit(lines, e), '\n')
				}
				if err := write(lines); err != nil || !more {
					return err
				}
				mark := store.AuditMark(found[len(found)-1])
				q.After = &mark
				if found, more, err = a.Audit.ListAudit(r.Context(), q); err != nil {
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
	dst = append(append(dst, `,"actor":`...), encodeJSON(e.Actor)...)
	text("action", string(e.Action))
	text("subject", e.Subject)
	text("address", e.Address)
	text("traceId", e.TraceID)
	if len(e.Detail) > 0 {
		dst = append(append(dst, `,"detail":`...), encodeJSON(e.Detail)...)
	}
	return append(dst, '}')
}
