package octavo

import "encoding/json"

// BulkOp is the kind of a bulk operation.
type BulkOp string

// The bulk operations (decision 58).
const (
	BulkCreate BulkOp = "create"
	BulkUpdate BulkOp = "update"
	BulkDelete BulkOp = "delete"
)

// BulkOperation is one operation of a bulk request. An update whose page has slug or
// frontmatter is a PageCreate and replaces the page as PUT does. Any other is a
// PagePatch, or changes only the members beside the page. Only the members for Op are
// set.
type BulkOperation struct {
	Op          BulkOp
	ID          ID     // update and delete
	IfMatch     string // an If-Match field value; "" checks nothing
	Create      *PageCreate
	Patch       *PagePatch
	ParentID    *ID // for Create, which has no parent; "" makes a root page
	Position    *OptInt
	FormerSlugs []string        // further slugs that lead to the page
	Source      *string         // path of the imported file, with forward slashes
	ImportSet   *string         // the import set of the file
	Language    *string         // of the page if its front matter has none, "" for the site's
	RawFront    *string         // front matter as its author wrote it (decision 57)
	Imported    json.RawMessage // state of an import, a JSON object; its content defaults to that of the page
	Children    string          // for a deletion: "reparent", or "" if there are none
	Err         error           // what is wrong with this operation, an *Error
}

// Bulk is a decoded bulk request: all operations in one transaction if Atomic,
// otherwise each separately.
type Bulk struct {
	Atomic     bool
	Operations []BulkOperation
}

// DecodeBulk reads a bulk request. Errors inside an operation are stored with it; the
// returned error is about the request as a whole.
func DecodeBulk(v Value, strict bool) (Bulk, error) {
	var faults Faults
	f := readObject(v, "", &faults)
	f.require("operations")
	bulk := Bulk{Atomic: f.flag("atomic")}
	list, _ := f.get("operations", KindArray)
	if n := len(list.Items); n > MaxBulk {
		faults.Add("/operations", "must have at most %d operations; it has %d", MaxBulk, n)
		list.Items = nil
	}
	f.closed(strict)
	for i, item := range list.Items {
		bulk.Operations = append(bulk.Operations, decodeBulkOperation(item, PointerIndex("/operations", i), strict))
	}
	if err := faults.Err(); err != nil {
		for _, op := range bulk.Operations {
			faults.Merge(op.Err)
		}
		return bulk, faults.Err()
	}
	return bulk, nil
}

func decodeBulkOperation(v Value, path string, strict bool) BulkOperation {
	var faults Faults
	f := readObject(v, path, &faults)
	f.require("op")
	op := BulkOperation{Op: BulkOp(orZero(f.str("op")))}
	if op.Op == BulkCreate {
		f.unwanted("id", "the server gives new pages their identifiers")
		f.unwanted("ifMatch", "a new page has no entity tag yet")
	} else {
		op.decodeTarget(f)
	}
	page, _ := f.get("page", KindObject)
	switch op.Op {
	case BulkCreate:
		f.require("page")
		if f.has("page") {
			p := decodePageCreate(page, Pointer(path, "page"), true, &faults)
			op.Create = &p
		}
	case BulkUpdate:
		f.require("id")
		switch {
		case f.has("page"):
			op.decodeUpdate(page, Pointer(path, "page"), strict, &faults)
		case f.has("parentId") || f.has("position") || f.has("imported"):
			op.Patch = &PagePatch{}
		default:
			f.require("page")
		}
	case BulkDelete:
		f.require("id")
		if s := f.str("children"); s != nil {
			if op.Children = *s; *s != "reparent" {
				faults.Add(Pointer(path, "children"), "must be reparent")
			}
		}
	default:
		if f.has("op") {
			faults.Add(Pointer(path, "op"), "must be one of create, update, delete")
		}
	}
	op.ParentID, op.Position = f.parent(), f.position()
	if op.Patch != nil && op.ParentID != nil && op.Patch.ParentID != nil {
		faults.Add(Pointer(Pointer(path, "page"), "parentId"), "must not be given together with the operation's own parentId")
	}
	if op.Patch != nil && op.Position != nil && op.Patch.Position != nil {
		faults.Add(Pointer(Pointer(path, "page"), "position"), "must not be given together with the operation's own position")
	}
	op.FormerSlugs = f.slugs("formerSlugs")
	if op.Source = f.str("source"); op.Source != nil && *op.Source != "" {
		if msg := CheckAssetSource(*op.Source); msg != "" {
			faults.Add(Pointer(path, "source"), "%s", msg)
		}
	}
	op.ImportSet = f.importSet()
	if op.Language = f.str("language"); op.Language != nil && *op.Language != "" {
		if msg := CheckLanguage(*op.Language); msg != "" {
			faults.Add(Pointer(path, "language"), "%s", msg)
		}
	}
	op.RawFront = f.str("rawFrontmatter")
	op.Imported = f.imported()
	f.closed(strict)
	op.Err = faults.Err()
	return op
}

// decodeTarget reads the page of an operation, and its version.
func (op *BulkOperation) decodeTarget(f *fields) {
	op.ID = ID(orZero(f.str("id")))
	switch s := f.str("ifMatch"); {
	case s == nil:
	case *s == "":
		f.faults.Add(Pointer(f.path, "ifMatch"), "must not be empty: omit it to check nothing")
	default:
		op.IfMatch = *s
	}
}

func (op *BulkOperation) decodeUpdate(page Value, path string, strict bool, faults *Faults) {
	_, slug := page.Get("slug")
	_, frontmatter := page.Get("frontmatter")
	if slug || frontmatter {
		p := decodePageCreate(page, path, false, faults)
		op.Create = &p
		return
	}
	p := decodePagePatch(page, path, strict, faults)
	op.Patch = &p
}

// importSet reads the name of an import set.
func (f *fields) importSet() *string {
	name := f.str("importSet")
	if name != nil {
		if msg := CheckImportSet(*name); msg != "" {
			f.faults.Add(Pointer(f.path, "importSet"), "%s", msg)
		}
	}
	return name
}

// imported reads the state of an import.
func (f *fields) imported() json.RawMessage {
	v, ok := f.get("imported", KindObject)
	if !ok {
		return nil
	}
	readObject(v, Pointer(f.path, "imported"), f.faults).str("content")
	return v.AppendJSON(nil)
}

// slugs reads an array of slugs.
func (f *fields) slugs(name string) []string {
	list, _ := f.get(name, KindArray)
	var slugs []string
	for i, item := range list.Items {
		path := PointerIndex(Pointer(f.path, name), i)
		if item.Kind != KindString {
			f.faults.Add(path, "must be a string, not %s", article(item.Kind))
		} else if msg := CheckSlug(item.Str); msg != "" {
			f.faults.Add(path, "%s", msg)
		} else {
			slugs = append(slugs, item.Str)
		}
	}
	return slugs
}
