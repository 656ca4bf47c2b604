package octavo

import (
	"encoding/json"
	"unicode/utf8"
)

// MaxDescription is the maximum of characters in a proposal's description, and in a
// comment.
const MaxDescription = 65536

// ProposalPatch is a change of a proposal itself; nil keeps a member.
type ProposalPatch struct {
	Title       *string
	Description *string
	Status      *ProposalStatus // open, closed or, for a new one, draft
	Reviewers   *[]ID
}

// DecodeProposal reads a new proposal and its changes. Unknown members are errors if
// strict (decision 48).
func DecodeProposal(v Value, strict bool) (p ProposalPatch, changes []PageChange, err error) {
	var faults Faults
	f := readObject(v, "", &faults)
	f.require("title")
	p = decodeProposalFields(f, ProposalDraft, ProposalOpen)
	list, _ := f.get("changes", KindArray)
	changes = decodeChanges(list, "/changes", strict, &faults)
	f.closed(strict)
	return p, changes, faults.Err()
}

// DecodeProposalPatch reads a change of a proposal.
func DecodeProposalPatch(v Value, strict bool) (ProposalPatch, error) {
	var faults Faults
	f := readObject(v, "", &faults)
	p := decodeProposalFields(f, ProposalOpen, ProposalClosed)
	f.closed(strict)
	if v.Kind == KindObject && p == (ProposalPatch{}) && faults.Err() == nil {
		faults.Add("", "must name at least one of title, description, status, reviewers")
	}
	return p, faults.Err()
}

func decodeProposalFields(f *fields, statuses ...ProposalStatus) (p ProposalPatch) {
	p.Title = f.title()
	p.Description = f.prose("description")
	if f.has("status") {
		var status ProposalStatus
		pick(f, "status", &status, statuses...)
		p.Status = &status
	}
	if list, ok := f.get("reviewers", KindArray); ok {
		reviewers := []ID{}
		for i, item := range list.Items {
			if item.Kind != KindString || !ID(item.Str).Is(PrefixUser) {
				f.faults.Add(PointerIndex("/reviewers", i), "must be the identifier of a person, such as usr_01h455vb4pex5vsknk084sn02q")
			}
			reviewers = append(reviewers, ID(item.Str))
		}
		if len(reviewers) > MaxReviewers {
			f.faults.Add("/reviewers", "must have at most %d people", MaxReviewers)
		}
		p.Reviewers = &reviewers
	}
	return p
}

// pick reads a member with one of some values, which cannot be null.
func pick[T ~string](f *fields, name string, dest *T, values ...T) {
	if _, ok := f.get(name, KindString); ok {
		choose(f, name, dest, values...)
	}
}

// prose reads a text written by people.
func (f *fields) prose(name string) *string {
	s := f.str(name)
	if s != nil && utf8.RuneCountInString(*s) > MaxDescription {
		f.faults.Add(Pointer(f.path, name), "must have at most %d characters", MaxDescription)
	}
	return s
}

// DecodeChanges reads one change, or an array of them.
func DecodeChanges(v Value, strict bool) ([]PageChange, error) {
	var faults Faults
	if v.Kind == KindArray {
		if len(v.Items) == 0 {
			faults.Add("", "must have at least one change")
		}
		list := decodeChanges(v, "", strict, &faults)
		return list, faults.Err()
	}
	c := decodeChange(v, "", strict, &faults)
	return []PageChange{c}, faults.Err()
}

// DecodeChange reads one change.
func DecodeChange(v Value, strict bool) (PageChange, error) {
	var faults Faults
	c := decodeChange(v, "", strict, &faults)
	return c, faults.Err()
}

func decodeChanges(list Value, path string, strict bool, faults *Faults) (changes []PageChange) {
	if n := len(list.Items); n > MaxChanges {
		faults.Add(path, "must have at most %d changes; it has %d", MaxChanges, n)
		return nil
	}
	seen := map[ID]bool{}
	for i, item := range list.Items {
		at := PointerIndex(path, i)
		c := decodeChange(item, at, strict, faults)
		if c.PageID != "" && seen[c.PageID] {
			faults.Add(Pointer(at, "pageId"), "is already the page of another change; a proposal has one change for each page")
		}
		seen[c.PageID] = true
		changes = append(changes, c)
	}
	return changes
}

func decodeChange(v Value, path string, strict bool, faults *Faults) PageChange {
	f := readObject(v, path, faults)
	f.require("op")
	var c PageChange
	if f.has("op") {
		pick(f, "op", &c.Op, ChangeCreate, ChangeUpdate, ChangeDelete, ChangeRestore)
	}
	c.decodeTarget(f)
	switch c.Op {
	case ChangeCreate:
		f.require("title", "slug", "content")
		c.decodeMembers(f)
	case ChangeUpdate:
		if c.decodeMembers(f); c.Empty() {
			faults.Add(path, "must name at least one member to change")
		}
	case ChangeDelete:
		if f.has("children") {
			pick(f, "children", &c.Children, "cascade", "reparent")
		}
	}
	f.closed(strict)
	return c
}

// Empty reports whether no member changes.
func (c PageChange) Empty() bool {
	return c.Title == nil && c.Slug == nil && c.Content == nil && c.Frontmatter == nil && c.RawFront == nil && c.Status == nil &&
		c.ParentID == nil && c.Position == nil && c.Publish == nil && c.Unpublish == nil && len(c.FormerSlugs) == 0 && c.Source == nil && c.Dialect == nil
}

// decodeTarget reads the page of a change, and its base revision.
func (c *PageChange) decodeTarget(f *fields) {
	if c.Op == ChangeCreate {
		f.unwanted("pageId", "the server gives new pages their identifiers")
		f.unwanted("baseRevision", "a new page has no revision yet")
		return
	}
	f.require("pageId")
	if s := f.str("pageId"); s != nil {
		if c.PageID = ID(*s); !c.PageID.Is(PrefixPage) {
			f.faults.Add(Pointer(f.path, "pageId"), "must be the identifier of a page, such as page_01h455vb4pex5vsknk084sn02q")
		}
	}
	if n, ok := f.get("baseRevision", KindNumber); ok {
		var whole bool
		if c.BaseRevision, whole = n.Int(); !whole || c.BaseRevision < 1 {
			f.faults.Add(Pointer(f.path, "baseRevision"), "must be the number of a revision, from 1")
		}
	}
}

func (c *PageChange) decodeMembers(f *fields) {
	c.Title, c.Content, c.Status, c.RawFront, c.Slug = f.title(), f.str("content"), f.status(), f.str("frontmatterRaw"), f.slug()
	if front, ok := f.get("frontmatter", KindObject); ok {
		c.Frontmatter = new(json.RawMessage(front.AppendJSON(nil)))
	}
	c.ParentID, c.Position, c.Publish, c.Unpublish = f.parent(), f.position(), f.time("publishAt"), f.time("unpublishAt")
	c.Dialect, c.Imported = f.dialect(), f.imported()
	c.FormerSlugs = f.slugs("formerSlugs")
	if c.Source = f.str("source"); c.Source != nil && *c.Source != "" {
		if msg := CheckAssetSource(*c.Source); msg != "" {
			f.faults.Add(Pointer(f.path, "source"), "%s", msg)
		}
	}
	c.ImportSet = f.importSet()
}

// KeptChange reads the output of [PageChange.AppendJSON] without the text.
func KeptChange(v Value) (PageChange, error) {
	var faults Faults
	f := readObject(v, "", &faults)
	var c PageChange
	pick(f, "op", &c.Op, ChangeCreate, ChangeUpdate, ChangeDelete, ChangeRestore)
	if n, ok := f.get("baseRevision", KindNumber); ok {
		c.BaseRevision, _ = n.Int()
	}
	c.Children, c.Removed = orZero(f.str("children")), f.flag("removed")
	c.decodeMembers(f)
	return c, faults.Err()
}

// UnmarshalJSON reads a change as in responses.
func (c *PageChange) UnmarshalJSON(text []byte) error {
	v, err := ValueOf(text)
	if err != nil {
		return err
	}
	if *c, err = KeptChange(v); err != nil {
		return err
	}
	var known struct {
		ID     ID          `json:"id"`
		PageID ID          `json:"pageId"`
		Base   *ChangeBase `json:"base"`
	}
	err = json.Unmarshal(text, &known)
	c.ID, c.PageID, c.Base = known.ID, known.PageID, known.Base
	return err
}
