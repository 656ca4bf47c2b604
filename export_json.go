package octavo

import "strconv"

// AppendJSON appends the export in the contract's shape; absent members are
// left out, except downloadUrl, which may be null.
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
		dst = e.Error.AppendJSON(append(dst, `,"error":`...))
	}
	dst = AppendTime(append(dst, `,"createdAt":`...), e.CreatedAt)
	dst = AppendTime(append(dst, `,"expiresAt":`...), e.ExpiresAt)
	dst = append(dst, `,"report":{"warnings":[`...)
	for i, w := range e.Report.Warnings {
		dst = w.appendJSON(appendComma(dst, i))
	}
	dst = append(dst, "]}"...)
	if len(e.Deliveries) > 0 {
		dst = append(dst, `,"deliveries":[`...)
		for i, d := range e.Deliveries {
			dst = d.appendJSON(appendComma(dst, i))
		}
		dst = append(dst, ']')
	}
	return append(dst, '}')
}

func (w ExportWarning) appendJSON(dst []byte) []byte {
	dst = AppendString(append(dst, `{"message":`...), w.Message)
	if w.Path != "" {
		dst = AppendString(append(dst, `,"path":`...), w.Path)
	}
	if w.Page != "" {
		dst = AppendString(append(dst, `,"page":`...), string(w.Page))
	}
	if w.Slug != "" {
		dst = AppendString(append(dst, `,"slug":`...), w.Slug)
	}
	if w.Source != "" {
		dst = AppendString(append(dst, `,"source":`...), w.Source)
	}
	if w.Line > 0 {
		dst = strconv.AppendInt(append(dst, `,"line":`...), int64(w.Line), 10)
	}
	return append(dst, '}')
}

func (d ExportDeliveryNote) appendJSON(dst []byte) []byte {
	dst = AppendString(append(dst, `{"kind":`...), string(d.Kind))
	if d.Email != "" {
		dst = AppendString(append(dst, `,"email":`...), d.Email)
	}
	if d.URL != "" {
		dst = AppendString(append(dst, `,"url":`...), d.URL)
	}
	dst = AppendString(append(dst, `,"status":`...), string(d.Status))
	dst = strconv.AppendInt(append(dst, `,"attempts":`...), int64(d.Attempts), 10)
	if d.Error != "" {
		dst = AppendString(append(dst, `,"error":`...), d.Error)
	}
	return append(dst, '}')
}

// AppendJSON appends the problem without the fields at fault; absent members
// are left out.
func (p *Problem) AppendJSON(dst []byte) []byte {
	dst = AppendString(append(dst, `{"type":`...), p.Type)
	dst = AppendString(append(dst, `,"title":`...), p.Title)
	dst = strconv.AppendInt(append(dst, `,"status":`...), int64(p.Status), 10)
	if p.Detail != "" {
		dst = AppendString(append(dst, `,"detail":`...), p.Detail)
	}
	return append(dst, '}')
}
