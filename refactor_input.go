package octavo

// RefactorKind is a kind of change that updates links.
type RefactorKind string

const (
	RefactorRename RefactorKind = "rename" // another slug, title or parent
	RefactorSplit  RefactorKind = "split"  // the section at a heading becomes a page
	RefactorJoin   RefactorKind = "join"   // another page becomes a section
)

// Refactor is a change of pages for a proposal that updates all links to them.
type Refactor struct {
	Kind     RefactorKind
	PageID   ID
	Slug     *string // of the page, or of the new page for split
	Title    *string
	ParentID *ID // for rename; "" makes a root page
	Line     int // for split: line of the heading, from 1
	With     ID  // for join: the page that is deleted
}

// DecodeRefactor reads a Refactor. Unknown members are errors if strict (decision 48).
func DecodeRefactor(v Value, strict bool) (r Refactor, err error) {
	var faults Faults
	f := readObject(v, "", &faults)
	f.require("kind", "pageId")
	pick(f, "kind", &r.Kind, RefactorRename, RefactorSplit, RefactorJoin)
	page := func(name string) ID {
		s := f.str(name)
		if s != nil && !ID(*s).Is(PrefixPage) {
			faults.Add(Pointer("", name), "must be the identifier of a page, such as page_01h455vb4pex5vsknk084sn02q")
		}
		return ID(orZero(s))
	}
	r.PageID = page("pageId")
	if r.Kind != RefactorJoin {
		r.Title, r.Slug = f.title(), f.slug()
	}
	switch r.Kind {
	case RefactorRename:
		r.ParentID = f.parent()
		if !f.has("slug") && !f.has("title") && !f.has("parentId") {
			faults.Add("", "must name at least one of slug, title, parentId")
		}
	case RefactorSplit:
		f.require("line")
		if n, ok := f.get("line", KindNumber); ok {
			line, whole := n.Int()
			if !whole || line < 1 || line > 1<<31-1 {
				faults.Add("/line", "must be the number of a line, from 1")
			}
			r.Line = int(line)
		}
	case RefactorJoin:
		f.require("with")
		if r.With = page("with"); r.With == r.PageID && r.With != "" {
			faults.Add("/with", "must differ from pageId")
		}
	}
	f.closed(strict)
	return r, faults.Err()
}
