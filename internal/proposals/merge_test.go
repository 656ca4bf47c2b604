package proposals_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// meanwhile is a way in which pages change between a proposal and its merge, and what
// becomes of both. want is "merged", or the type of the refusal and the member of its
// first conflict.
type meanwhile struct {
	name    string
	propose func(r rig, a, b octavo.Page) []octavo.PageChange
	then    func(r rig, a, b octavo.Page)
	want    string
	check   func(r rig, a, b octavo.Page) // of what the merge left behind
}

const three = "one\ntwo\nthree\n"

func meanwhiles() []meanwhile {
	change := func(c octavo.PageChange) func(rig, octavo.Page, octavo.Page) []octavo.PageChange {
		return func(_ rig, a, _ octavo.Page) []octavo.PageChange {
			c := c
			c.Op, c.PageID = octavo.ChangeUpdate, a.ID
			return []octavo.PageChange{c}
		}
	}
	update := func(c pagestore.Change) func(rig, octavo.Page, octavo.Page) {
		return func(r rig, a, _ octavo.Page) { r.Helper(); r.update(a.ID, c) }
	}
	content := func(want string) func(rig, octavo.Page, octavo.Page) {
		return func(r rig, a, _ octavo.Page) {
			r.Helper()
			if have := r.get(a.ID).Content; have != want {
				r.Errorf("content: have %q, want %q", have, want)
			}
		}
	}
	published, draft, archived := octavo.Published, octavo.Draft, octavo.Archived
	return []meanwhile{
		{"nothing", change(octavo.PageChange{Content: new("ONE\ntwo\nthree\n")}), nil, "merged", content("ONE\ntwo\nthree\n")},
		{"other lines", change(octavo.PageChange{Content: new("ONE\ntwo\nthree\n")}), update(pagestore.Change{Content: new("one\ntwo\nTHREE\n")}), "merged", content("ONE\ntwo\nTHREE\n")},
		{"the same lines", change(octavo.PageChange{Content: new("ONE\ntwo\nthree\n")}), update(pagestore.Change{Content: new("1\ntwo\nthree\n")}), "merge-conflict content", content("1\ntwo\nthree\n")},
		{"the same change", change(octavo.PageChange{Content: new("ONE\ntwo\nthree\n")}), update(pagestore.Change{Content: new("ONE\ntwo\nthree\n")}), "merged", content("ONE\ntwo\nthree\n")},
		{"line ends", change(octavo.PageChange{Content: new("one\r\ntwo\r\nthree\r\n")}), update(pagestore.Change{Content: new("one\ntwo\nthree")}), "merge-conflict content", nil},
		{"no final newline", change(octavo.PageChange{Content: new("one\ntwo\nthree")}), nil, "merged", content("one\ntwo\nthree")},
		{"bytes", change(octavo.PageChange{Content: new("\uFEFFone\x00\r\ntwo\nthree")}), nil, "merged", content("\uFEFFone\x00\r\ntwo\nthree")},
		{"no text left", change(octavo.PageChange{Content: new("")}), nil, "merged", content("")},
		{"title", change(octavo.PageChange{Title: new("X")}), update(pagestore.Change{Title: new("Y")}), "merge-conflict title", nil},
		{"title and text", change(octavo.PageChange{Title: new("X")}), update(pagestore.Change{Content: new("new\n")}), "merged", content("new\n")},
		{"slug", change(octavo.PageChange{Slug: new("x")}), update(pagestore.Change{Slug: new("y")}), "merge-conflict slug", nil},
		{"slug taken", change(octavo.PageChange{Slug: new("x")}), func(r rig, _, _ octavo.Page) { r.page("x", "") }, "slug-taken slug", nil},
		{"status", change(octavo.PageChange{Status: &draft}), update(pagestore.Change{Status: &archived}), "merge-conflict status", nil},
		{"the same status", change(octavo.PageChange{Status: &draft}), update(pagestore.Change{Status: &draft}), "merged", nil},
		{"published and edited", change(octavo.PageChange{Content: new("x\n")}), update(pagestore.Change{Status: &published}), "merged", content("x\n")},
		{"position", change(octavo.PageChange{Position: &octavo.OptInt{Value: new(int64(3))}}), update(pagestore.Change{Position: &octavo.OptInt{Value: new(int64(4))}}), "merge-conflict position", nil},
		{
			"front matter by keys", change(octavo.PageChange{Frontmatter: new(json.RawMessage(`{"a":1,"b":2}`))}), update(pagestore.Change{Frontmatter: new([]byte(`{"a":1,"c":3}`))}), "merged",
			func(r rig, a, _ octavo.Page) {
				if have := string(r.get(a.ID).Frontmatter); have != `{"a":1,"c":3,"b":2}` {
					r.Errorf("front matter: have %s", have)
				}
			},
		},
		{"one key of it", change(octavo.PageChange{Frontmatter: new(json.RawMessage(`{"a":2}`))}), update(pagestore.Change{Frontmatter: new([]byte(`{"a":3}`))}), "merge-conflict frontmatter/a", nil},
		{"edited and deleted", change(octavo.PageChange{Title: new("X")}), func(r rig, a, _ octavo.Page) { r.delete(a.ID) }, "merge-conflict", nil},
		{"deleted and restored", change(octavo.PageChange{Title: new("X")}), func(r rig, a, _ octavo.Page) {
			r.delete(a.ID)
			r.write(func(tx *sqldb.Tx) error { _, err := r.st.Pages.Restore(tx, a.ID); return err })
		}, "merged", nil},
		{"deletion of what was edited", func(_ rig, a, _ octavo.Page) []octavo.PageChange {
			return []octavo.PageChange{{Op: octavo.ChangeDelete, PageID: a.ID}}
		}, update(pagestore.Change{Content: new("new\n")}), "merge-conflict", nil},
		{"deletion of what was moved among its siblings", func(_ rig, a, _ octavo.Page) []octavo.PageChange {
			return []octavo.PageChange{{Op: octavo.ChangeDelete, PageID: a.ID}}
		}, update(pagestore.Change{Position: &octavo.OptInt{Value: new(int64(9))}}), "merged", nil},
		{"deleted twice", func(_ rig, a, _ octavo.Page) []octavo.PageChange {
			return []octavo.PageChange{{Op: octavo.ChangeDelete, PageID: a.ID}}
		}, func(r rig, a, _ octavo.Page) { r.delete(a.ID) }, "merged", nil},
		{"deletion with children", func(_ rig, a, _ octavo.Page) []octavo.PageChange {
			return []octavo.PageChange{{Op: octavo.ChangeDelete, PageID: a.ID}}
		}, func(r rig, a, _ octavo.Page) { r.page("child", "", under(a.ID)) }, "merge-conflict", nil},
		{"branch whose pages were edited", func(r rig, a, _ octavo.Page) []octavo.PageChange {
			r.page("child", "", under(a.ID))
			return []octavo.PageChange{{Op: octavo.ChangeDelete, PageID: a.ID, Children: "cascade"}}
		}, func(r rig, a, _ octavo.Page) { r.page("another", "", under(a.ID)) }, "merge-conflict", nil},
		{"branch that is as it was", func(r rig, a, _ octavo.Page) []octavo.PageChange {
			r.page("child", "", under(a.ID))
			return []octavo.PageChange{{Op: octavo.ChangeDelete, PageID: a.ID, Children: "cascade"}}
		}, nil, "merged", nil},
		{"branch that is edited here", func(r rig, a, _ octavo.Page) []octavo.PageChange {
			child := r.page("child", "", under(a.ID))
			return []octavo.PageChange{edit(child.ID, "x"), {Op: octavo.ChangeDelete, PageID: a.ID, Children: "cascade"}}
		}, nil, "merge-conflict", nil},
		{"branch that gets a page here", func(r rig, a, _ octavo.Page) []octavo.PageChange {
			child := r.page("child", "", under(a.ID))
			made := create("made", "")
			made.ParentID = &child.ID
			return []octavo.PageChange{made, {Op: octavo.ChangeDelete, PageID: a.ID, Children: "cascade"}}
		}, nil, "conflict parentId", nil},
		{"branch of which a page is moved away", func(r rig, a, b octavo.Page) []octavo.PageChange {
			child := r.page("child", "", under(a.ID))
			grandchild := r.page("grandchild", "", under(child.ID))
			return []octavo.PageChange{{Op: octavo.ChangeDelete, PageID: a.ID, Children: "cascade"}, {Op: octavo.ChangeUpdate, PageID: grandchild.ID, ParentID: &b.ID}}
		}, nil, "merged", func(r rig, _, b octavo.Page) {
			if have := r.bySlug("grandchild").ParentID; have != b.ID {
				r.Errorf("it is below %q", have)
			}
		}},
		{
			"schedule", change(octavo.PageChange{Unpublish: &octavo.OptTime{Value: new(time.Now().AddDate(1, 0, 0))}}),
			update(pagestore.Change{Unpublish: &octavo.OptTime{Value: new(time.Now().AddDate(2, 0, 0))}}), "merge-conflict unpublishAt", nil,
		},
		{"former slug of a page", change(octavo.PageChange{FormerSlugs: []string{"b"}}), nil, "slug-taken formerSlugs", nil},
		{"move and move", func(_ rig, a, b octavo.Page) []octavo.PageChange {
			return []octavo.PageChange{{Op: octavo.ChangeUpdate, PageID: a.ID, ParentID: &b.ID}}
		}, func(r rig, a, b octavo.Page) { r.update(b.ID, pagestore.Change{ParentID: &a.ID}) }, "merge-conflict parentId", nil},
		{"parent gone", func(_ rig, a, b octavo.Page) []octavo.PageChange {
			return []octavo.PageChange{{Op: octavo.ChangeUpdate, PageID: a.ID, ParentID: &b.ID}}
		}, func(r rig, _, b octavo.Page) { r.delete(b.ID) }, "conflict parentId", nil},
		{"parent deleted here", func(_ rig, a, b octavo.Page) []octavo.PageChange {
			return []octavo.PageChange{{Op: octavo.ChangeUpdate, PageID: a.ID, ParentID: &b.ID}, {Op: octavo.ChangeDelete, PageID: b.ID}}
		}, nil, "conflict parentId", nil},
		{"slug handed over", func(_ rig, a, b octavo.Page) []octavo.PageChange {
			return []octavo.PageChange{
				{Op: octavo.ChangeUpdate, PageID: a.ID, Slug: new("b")},
				{Op: octavo.ChangeUpdate, PageID: b.ID, Slug: new("c")},
				{Op: octavo.ChangeCreate, Title: new("A"), Slug: new("a"), Content: new("")},
			}
		}, nil, "merged", func(r rig, a, b octavo.Page) {
			if x, y := r.get(a.ID).Slug, r.get(b.ID).Slug; x != "b" || y != "c" {
				r.Errorf("slugs: have %s and %s", x, y)
			}
		}},
		{"slugs swapped", func(_ rig, a, b octavo.Page) []octavo.PageChange {
			return []octavo.PageChange{{Op: octavo.ChangeUpdate, PageID: a.ID, Slug: new("b")}, {Op: octavo.ChangeUpdate, PageID: b.ID, Slug: new("a")}}
		}, nil, "merged", func(r rig, a, b octavo.Page) {
			if x, y := r.get(a.ID).Slug, r.get(b.ID).Slug; x != "b" || y != "a" {
				r.Errorf("slugs: have %s and %s", x, y)
			}
		}},
		{"one slug twice", func(_ rig, a, b octavo.Page) []octavo.PageChange {
			return []octavo.PageChange{{Op: octavo.ChangeUpdate, PageID: a.ID, Slug: new("x")}, {Op: octavo.ChangeUpdate, PageID: b.ID, Slug: new("x")}}
		}, nil, "slug-taken slug", nil},
		{"child moved away, then deleted", func(r rig, a, b octavo.Page) []octavo.PageChange {
			child := r.page("child", "", under(a.ID))
			return []octavo.PageChange{{Op: octavo.ChangeDelete, PageID: a.ID}, {Op: octavo.ChangeUpdate, PageID: child.ID, ParentID: &b.ID}}
		}, nil, "merged", nil},
		{"page and child swap", func(r rig, a, _ octavo.Page) []octavo.PageChange {
			child := r.page("child", "", under(a.ID))
			return []octavo.PageChange{{Op: octavo.ChangeUpdate, PageID: a.ID, ParentID: &child.ID}, {Op: octavo.ChangeUpdate, PageID: child.ID, ParentID: new(octavo.ID(""))}}
		}, nil, "merged", nil},
		{"circle", func(_ rig, a, b octavo.Page) []octavo.PageChange {
			return []octavo.PageChange{{Op: octavo.ChangeUpdate, PageID: a.ID, ParentID: &b.ID}, {Op: octavo.ChangeUpdate, PageID: b.ID, ParentID: &a.ID}}
		}, nil, "merge-conflict parentId", nil},
	}
}

// TestMeanwhile merges proposals over pages that have changed. Checks tell beforehand
// what the merge does, and a refused one changes nothing.
func TestMeanwhile(t *testing.T) {
	t.Parallel()
	onBoth(t, func(r rig) {
		for i, c := range meanwhiles() {
			a := r.page("a", three)
			b := r.page("b", three)
			p := r.propose(c.propose(r, a, b)...)
			if c.then != nil {
				c.then(r, a, b)
			}
			before := r.all()
			checks, err := r.Checks(r.ctx, ann, p.ID)
			r.must(err)
			_, err = r.merge(p)
			have := "merged"
			if e, ok := errors.AsType[*octavo.Error](err); ok && len(e.Conflicts) > 0 {
				have = string(e.Type)
				if _, err := json.Marshal(e.Conflicts); err != nil {
					r.Errorf("%s: %v", c.name, err)
				}
				if m := e.Conflicts[0].Member; m != "" {
					have += " " + m
				}
			} else if err != nil {
				have = err.Error()
			}
			if have != c.want {
				r.Errorf("%s: have %q, want %q", c.name, have, c.want)
			}
			if (len(checks) == 0) != (err == nil) {
				r.Errorf("%s: the checks were %+v, the merge ended with %v", c.name, checks, err)
			}
			if after := r.all(); err != nil && after != before {
				r.Errorf("%s: the refused merge has changed pages from\n%s to\n%s", c.name, before, after)
			}
			if c.check != nil {
				c.check(r, a, b)
			}
			r.clear(i)
		}
	})
}

// TestRestoreOfABranch: pages that are restored together are where they were.
func TestRestoreOfABranch(t *testing.T) {
	t.Parallel()
	onBoth(t, func(r rig) {
		a := r.page("a", "")
		b := r.page("b", "", under(a.ID))
		r.write(func(tx *sqldb.Tx) error { return r.st.Pages.Delete(tx, a.ID, pagestore.ChildrenCascade, nil) })
		p, err := r.tryPropose(bob, octavo.PageChange{Op: octavo.ChangeRestore, PageID: b.ID}, octavo.PageChange{Op: octavo.ChangeRestore, PageID: a.ID})
		r.must(err)
		if _, err := r.merge(p); err != nil || r.get(b.ID).ParentID != a.ID {
			r.Errorf("the page is below %q, %v", r.get(b.ID).ParentID, err)
		}
	})
}

// TestResolving makes a change anew, so that it is against the page as it stands: by its
// newest revision, though that is the one that it named before.
func TestResolving(t *testing.T) {
	t.Parallel()
	onBoth(t, func(r rig) {
		page := r.page("p", three)
		c := octavo.PageChange{Op: octavo.ChangeUpdate, PageID: page.ID, Status: new(octavo.Archived)}
		p := r.propose(c)
		r.update(page.ID, pagestore.Change{Status: new(octavo.Draft)})
		_, err := r.merge(p)
		if e, ok := errors.AsType[*octavo.Error](err); !ok || len(e.Conflicts) != 1 || e.Conflicts[0].Revision != 1 {
			r.Fatalf("have %v, want a conflict that names the revision", err)
		}
		c.BaseRevision = 1
		_, err = r.PutChange(r.ctx, sqldb.Cause{Actor: ann.Actor}, ann, p.ID, p.Changes[0].ID, c, nil)
		r.must(err)
		if _, err := r.merge(p); err != nil || r.get(page.ID).Status != octavo.Archived {
			r.Errorf("the page is %s, %v", r.get(page.ID).Status, err)
		}
	})
}

// all describes every page.
func (r rig) all() (text string) {
	r.Helper()
	r.must(r.st.DB.Read().Query(r.ctx, func(row sqldb.Scanner) error {
		var id, slug, title, parent string
		var version int64
		err := row.Scan(&id, &slug, &title, &parent, &version)
		text += fmt.Sprintln(id, slug, title, parent, version)
		return err
	}, `SELECT id, slug, title, COALESCE(parent_id, ''), version FROM pages ORDER BY id`))
	return text
}

func (r rig) bySlug(slug string) octavo.Page {
	r.Helper()
	p, _, err := r.st.Pages.BySlug(r.ctx, octavo.Audience{}, slug)
	r.must(err)
	return p
}

// clear deletes all pages and gives their slugs away.
func (r rig) clear(int) {
	r.Helper()
	r.write(func(tx *sqldb.Tx) error {
		ids, err := sqldb.Collect(r.ctx, tx.Conn(), sqldb.Column[octavo.ID], `SELECT id FROM pages WHERE deleted_at IS NULL AND parent_id IS NULL`)
		for _, id := range ids {
			if err == nil {
				err = r.st.Pages.Delete(tx, id, pagestore.ChildrenCascade, nil)
			}
		}
		return err
	})
}
