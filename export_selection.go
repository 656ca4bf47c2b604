package octavo

import "strings"

// selection reads the selection. A missing mode follows from the other members
// (decision 27).
func (x *exportReader) selection(from *fields, format ExportFormat) ExportSelection {
	s := ExportSelection{Mode: SelectAll}
	f := from.nested("selection")
	if f == nil {
		return s
	}
	mode := oneOf(f, "mode", SelectAll, SelectIDs, SelectQuery)
	switch {
	case mode != "":
		s.Mode = mode
	case f.has("items"):
		s.Mode = SelectIDs
	case f.has("query"):
		s.Mode = SelectQuery
	}
	list, ok := f.get("items", KindArray)
	none := len(list.Items) == 0
	if n := len(list.Items); n > MaxExportItems {
		x.faults.Add("/selection/items", "must have at most %d items; it has %d", MaxExportItems, n)
		list.Items = nil
	}
	items := make([]ExportItem, 0, len(list.Items))
	for i, v := range list.Items {
		items = append(items, x.item(v, PointerIndex("/selection/items", i), format))
	}
	query := x.filter(f)
	switch s.Mode {
	case SelectIDs:
		if none && (ok || !f.has("items")) {
			x.faults.Add("/selection/items", "must have at least one item in the mode ids")
		}
		s.Items = items
	case SelectQuery:
		f.require("query")
		s.Query = query
	}
	if query != nil && s.Mode != SelectQuery {
		x.warn("/selection/query", "has no effect in the mode %s", s.Mode)
	}
	x.closed(f)
	return s
}

func (x *exportReader) item(v Value, path string, format ExportFormat) (item ExportItem) {
	f := readObject(v, path, &x.faults)
	f.require("id", "type")
	if s := f.str("id"); s != nil {
		item.ID = ID(*s)
		if !ValidIdentifier(*s) {
			x.faults.Add(Pointer(path, "id"), "must be an identifier such as page_01h455vb4pex5vsknk084sn02q")
		}
	}
	item.Type = oneOf(f, "type", ItemPage, ItemSection, ItemAsset)
	if options := f.nested("options"); options != nil {
		item.Options = x.itemOptions(options, item.Type, format)
	}
	x.closed(f)
	return item
}

// itemOptions reads the options of an item. The contract allows any scalar, so a value
// of the wrong kind is a warning, and so is an option that the format ignores (decision
// 51).
func (x *exportReader) itemOptions(f *fields, kind ExportItemType, format ExportFormat) (o ExportItemOptions) {
	for _, m := range f.object.Members {
		at, v := Pointer(f.path, m.Name), m.Value
		if v.Kind != KindString && v.Kind != KindNumber && v.Kind != KindBool {
			x.faults.Add(at, "must be a string, a number or a boolean, not %s", article(v.Kind))
			continue
		}
		depth, whole := v.Int()
		switch {
		case m.Name == "depth" && whole && depth >= 0 && depth <= MaxDepth && kind == ItemSection:
			levels := int(depth)
			o.Depth = &levels
		case m.Name == "depth":
			x.warn(at, "has no effect: it bounds a section, by a whole number from 0 to %d", MaxDepth)
		case m.Name == "title" && format == ExportMarkdown:
			x.warn(at, "has no effect: in markdown pages are called what they are")
		case m.Name == "title" && v.Kind == KindString && v.Str != "" && len(v.Str) <= MaxExportText && !strings.ContainsRune(v.Str, 0) && kind != ItemAsset:
			o.Title = v.Str
		case m.Name == "title":
			x.warn(at, "has no effect: it is the heading of a page, a string of 1 to %d bytes", MaxExportText)
		case m.Name == "pageBreak" && (format == ExportHTML || format == ExportMarkdown):
			x.warn(at, "has no effect: only pdf has sheets")
		case m.Name == "pageBreak" && v.Kind == KindBool && kind != ItemAsset:
			o.PageBreak = &v.Bool
		case m.Name == "pageBreak":
			x.warn(at, "has no effect: it is a boolean, for pages")
		default:
			x.warn(at, "is not a known option and has no effect")
		}
	}
	return o
}

// filter reads the query; nil if absent or invalid.
func (x *exportReader) filter(from *fields) *SearchFilters {
	f := from.nested("query")
	if f == nil {
		return nil
	}
	q := f.filters()
	x.closed(f)
	return &q
}
