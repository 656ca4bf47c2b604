package proposals

import (
	"bytes"
	"cmp"
	"encoding/json"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/frontmatter"
	"github.com/octavo-docs/octavo/internal/merge"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
)

// update merges a change with the present page, member by member (decision
// 72). A member that both have changed in different ways is a conflict.
func (w planner) update(st *step) {
	c, page := st.change, st.page
	base := w.bases[pagestore.RevisionRef{Page: c.PageID, Number: c.BaseRevision}]
	before := len(w.conflicts)

	st.update.Title = three(w, st, "title", c.Title, base.Title, page.Title)
	st.update.Slug = three(w, st, "slug", c.Slug, base.Slug, page.Slug)
	st.update.Status = three(w, st, "status", c.Status, c.Base.Status, page.Status)
	st.update.ParentID = three(w, st, "parentId", c.ParentID, c.Base.ParentID, page.ParentID)
	if c.Position != nil && !samePlace(c.Position.Value, page.Position) && !samePlace(c.Position.Value, c.Base.Position) {
		if st.update.Position = c.Position; !samePlace(page.Position, c.Base.Position) {
			w.conflict(*st, octavo.CheckConflict, "position", "Both sides have changed position.").values(c.Base.Position, page.Position, c.Position.Value)
		}
	}
	st.update.Dialect = three(w, st, "dialect", c.Dialect, c.Base.Dialect, page.Dialect)
	w.content(st, base)
	w.frontmatter(st, base)

	st.update.Publish = w.time(st, "publishAt", c.Publish, c.Base.PublishAt, page.PublishAt)
	st.update.Unpublish = w.time(st, "unpublishAt", c.Unpublish, c.Base.UnpublishAt, page.UnpublishAt)
	st.update.FormerSlugs, st.update.Imported = c.FormerSlugs, imported(c, base.Content)
	if c.Source != nil && *c.Source != page.Source {
		st.update.Path = c.Source
	}
	if c.ImportSet != nil && *c.ImportSet != page.ImportSet {
		st.update.ImportSet = c.ImportSet
	}
	if st.update.Slug != nil {
		st.slug = *st.update.Slug
	}
	st.nothing = len(w.conflicts) == before && isNothing(st.update)
}

// imported is the state of an import: its text is that of the change,
// whatever the page has become.
func imported(c octavo.PageChange, base string) json.RawMessage {
	v, err := octavo.ValueOf(c.Imported)
	if err != nil {
		return nil // there is none
	}
	if _, found := v.Get("content"); !found {
		if c.Content != nil {
			base = *c.Content
		}
		v.Members = append(v.Members, octavo.Member{Name: "content", Value: octavo.String(base)})
	}
	return v.AppendJSON(nil)
}

func isNothing(u pagestore.Change) bool {
	return u.Title == nil && u.Slug == nil && u.Content == nil && u.Frontmatter == nil && u.RawFront == nil && u.Status == nil && u.ParentID == nil &&
		u.Position == nil && u.Publish == nil && u.Unpublish == nil && len(u.FormerSlugs) == 0 && u.Path == nil && u.Dialect == nil
}

// three returns the merged value of a member, or nil if it stays.
func three[T ~string](w planner, st *step, member string, proposed *T, base, present T) *T {
	switch {
	case proposed == nil || *proposed == present || *proposed == base:
		return nil
	case present == base:
		return proposed
	}
	shown := func(v T) any {
		if v == "" { // no parent, or no dialect
			return json.RawMessage("null")
		}
		return v
	}
	w.conflict(*st, octavo.CheckConflict, member, "Both sides have changed %s.", member).values(shown(base), shown(present), shown(*proposed))
	return nil
}

// time is three for a member of the schedule.
func (w planner) time(st *step, member string, proposed *octavo.OptTime, base, present *time.Time) *octavo.OptTime {
	switch {
	case proposed == nil || sameTime(proposed.Value, present) || sameTime(proposed.Value, base):
		return nil
	case !sameTime(present, base):
		w.conflict(*st, octavo.CheckConflict, member, "Both sides have changed %s.", member).values(base, present, proposed.Value)
	}
	return proposed
}

func samePlace(a, b *int64) bool { return a == b || a != nil && b != nil && *a == *b }

func sameTime(a, b *time.Time) bool { return a == b || a != nil && b != nil && a.Equal(*b) }

// content merges the texts by lines.
func (w planner) content(st *step, base pagestore.RevisionBody) {
	c, page := st.change, st.page
	if c.Content == nil {
		return
	}
	merged := w.texts.Texts(base.Content, page.Content, *c.Content)
	st.coarse = merged.Coarse
	if len(merged.Conflicts) == 0 {
		if merged.Text != page.Content {
			st.update.Content = &merged.Text
		}
		return
	}
	last := w.conflict(*st, octavo.CheckConflict, "content", "Both sides have changed the same lines.")
	was, is, wanted := merge.Lines(base.Content), merge.Lines(page.Content), merge.Lines(*c.Content)
	for _, x := range merged.Conflicts {
		last.Hunks = append(last.Hunks, octavo.ConflictHunk{
			Line: x.Theirs.From + 1, Base: some(was, x.Base), Present: some(is, x.Ours), Proposed: some(wanted, x.Theirs),
		})
	}
}

func some(lines []string, r merge.Range) []string { return append([]string{}, lines[r.From:r.To]...) }

// frontmatter merges front matter by keys, and edits the original bytes.
func (w planner) frontmatter(st *step, base pagestore.RevisionBody) {
	c, page := st.change, st.page
	if c.Frontmatter == nil {
		return
	}
	if bytes.Equal(base.Frontmatter, page.Frontmatter) { // nobody else has changed it
		if c.RawFront != nil && *c.RawFront != string(page.RawFront) {
			st.update.RawFront = new([]byte(*c.RawFront))
		}
		if !bytes.Equal(*c.Frontmatter, page.Frontmatter) {
			st.update.Frontmatter = new([]byte(*c.Frontmatter))
		}
		if st.update.RawFront != nil && len(*st.update.RawFront) == 0 {
			st.update.Frontmatter = new([]byte)
		}
		if st.update.Frontmatter == nil || st.update.RawFront != nil {
			return
		}
	}
	merged, other, both, err := frontmatter.Merge(base.Frontmatter, page.Frontmatter, *c.Frontmatter)
	if err != nil {
		w.conflict(*st, octavo.CheckConflict, "frontmatter", "Front matter cannot be read: %v", err)
		return
	}
	for _, key := range both {
		w.conflict(*st, octavo.CheckConflict, octavo.Pointer("frontmatter", key), "Both sides have changed %s in the front matter.", key).
			values(member(base.Frontmatter, key), member(page.Frontmatter, key), member(*c.Frontmatter, key))
	}
	if len(both) > 0 || !other {
		return
	}
	st.update.Frontmatter = new([]byte(merged))
	if len(page.RawFront) == 0 {
		return
	}
	head, _, format, err := frontmatter.Split(page.RawFront)
	if err != nil {
		return // it is written again
	}
	if raw, ok := frontmatter.Rewrite(head, format, merged); ok {
		st.update.RawFront = &raw
	}
}

// member is a member of front matter, or nil.
func member(front json.RawMessage, key string) any {
	v, err := octavo.ValueOf([]byte(cmp.Or(string(front), "{}")))
	if err != nil {
		return nil
	}
	if found, ok := v.Get(key); ok {
		return json.RawMessage(found.AppendJSON(nil))
	}
	return nil
}
