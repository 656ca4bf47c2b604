package octavo

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// AppendJSON appends the export in the contract's shape without absent members, except
// downloadUrl, which may be null.
func (e *Export) AppendJSON(dst []byte) []byte {
	dst = AppendString(append(dst, `{"id":`...), string(e.ID))
	dst = AppendString(append(dst, `,"status":`...), string(e.Status))
	dst = append(dst, `,"downloadUrl":`...)
	if e.DownloadURL == nil {
		dst = append(dst, "null"...)
	} else {
		dst = AppendString(dst, *e.DownloadURL)
	}
	dst = AppendString(append(dst, `,"format":`...), string(e.Format))
	dst = strconv.AppendInt(append(dst, `,"progress":{"done":`...), int64(e.Progress.Done), 10)
	dst = strconv.AppendInt(append(dst, `,"total":`...), int64(e.Progress.Total), 10)
	dst = append(dst, '}')
	if e.SHA256 != "" {
		dst = strconv.AppendInt(append(dst, `,"size":`...), e.Size, 10)
		dst = AppendString(append(dst, `,"sha256":`...), e.SHA256)
	}
	if e.Error != nil {
		dst = appendEncoded(append(dst, `,"error":`...), e.Error)
	}
	dst = AppendTime(append(dst, `,"createdAt":`...), e.CreatedAt)
	dst = AppendTime(append(dst, `,"expiresAt":`...), e.ExpiresAt)
	warnings := append([]ExportWarning{}, e.Report.Warnings...) // always an array
	dst = appendEncoded(append(dst, `,"report":`...), ExportReport{warnings})
	if len(e.Deliveries) > 0 {
		dst = appendEncoded(append(dst, `,"deliveries":`...), e.Deliveries)
	}
	return append(dst, '}')
}

// appendEncoded appends the JSON of a value of a kind that can always be encoded. It
// does not escape HTML characters.
func appendEncoded(dst []byte, v any) []byte {
	b := bytes.NewBuffer(dst)
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // it cannot fail
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
