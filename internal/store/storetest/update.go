package storetest

import (
	"encoding/json"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

func updateMembers(e *env) {
	parent := e.create(page("parent"))
	p := e.create(page("p"))
	due := time.Date(2030, 1, 2, 3, 4, 5, 678_000_000, time.UTC)
	for _, test := range []struct {
		name     string
		change   pagestore.Change
		expect   func(*octavo.Page)
		revision bool
	}{
		{"title", pagestore.Change{Title: ref("New")}, func(p *octavo.Page) { p.Title = "New" }, true},
		{"content", pagestore.Change{Content: ref("[a](b)")}, func(p *octavo.Page) {
			p.Content, p.Links = "[a](b)", json.RawMessage(`[{"href":"b","label":"a"}]`)
		}, true},
		{"slug", pagestore.Change{Slug: ref("q")}, func(p *octavo.Page) { p.Slug = "q" }, true},
		{"front matter", pagestore.Change{Frontmatter: ref([]byte(`{"a":1}`))}, func(p *octavo.Page) { p.Frontmatter = json.RawMessage(`{"a":1}`) }, true},
		{"no front matter", pagestore.Change{Frontmatter: ref([]byte(nil))}, func(p *octavo.Page) { p.Frontmatter = nil }, true},
		{"parent", pagestore.Change{ParentID: &parent.ID}, func(p *octavo.Page) { p.ParentID = parent.ID }, false},
		{"no parent", pagestore.Change{ParentID: ref(octavo.ID(""))}, func(p *octavo.Page) { p.ParentID = "" }, false},
		{"status", pagestore.Change{Status: ref(octavo.Archived)}, func(p *octavo.Page) { p.Status = octavo.Archived }, false},
		{"position", pagestore.Change{Position: &octavo.OptInt{Value: ref(int64(7))}}, func(p *octavo.Page) { p.Position = ref(int64(7)) }, false},
		{"no position", pagestore.Change{Position: &octavo.OptInt{}}, func(p *octavo.Page) { p.Position = nil }, false},
		{
			"schedule",
			pagestore.Change{Publish: &octavo.OptTime{Value: &due}, Unpublish: &octavo.OptTime{Value: &due}},
			func(p *octavo.Page) { p.PublishAt, p.UnpublishAt = &due, &due }, false,
		},
		{
			"no schedule",
			pagestore.Change{Publish: &octavo.OptTime{}, Unpublish: &octavo.OptTime{}},
			func(p *octavo.Page) { p.PublishAt, p.UnpublishAt = nil, nil }, false,
		},
	} {
		e.clock.move(time.Second)
		want := p
		test.expect(&want)
		want.Version++
		want.UpdatedAt = e.clock.now()
		if test.revision {
			want.Revision++
		}
		p = e.update(p.ID, test.change)
		e.equal(test.name, p, want)
		e.samePage(p)
	}
	_, err := e.tryUpdate("page_unknown", pagestore.Change{})
	e.wantError(err, octavo.NotFound)
}

func updateWithoutEffect(e *env) {
	n := published("same")
	n.Frontmatter = json.RawMessage(`{"a":1}`)
	p := e.create(n)
	before := e.position()
	e.clock.move(time.Minute)
	same := e.update(p.ID, pagestore.Change{
		Title: &p.Title, Slug: &p.Slug, Content: &p.Content, Frontmatter: ref([]byte(p.Frontmatter)), Status: &p.Status,
		ParentID: &p.ParentID, Position: &octavo.OptInt{}, Publish: &octavo.OptTime{}, Unpublish: &octavo.OptTime{},
	})
	e.equal("page", same, p)
	e.samePage(p)
	e.equal("changes", e.kinds(before, ""), nil)
}

func updateIfMatch(e *env) {
	p := e.create(page("p"))
	atVersion := func(v int64) sqldb.IfMatch {
		return func(id octavo.ID, version int64) bool { return id == p.ID && version == v }
	}
	change := pagestore.Change{Title: ref("Other")}
	update := func(match sqldb.IfMatch) error {
		return e.write(func(tx *sqldb.Tx) error {
			_, err := e.st.Pages.Update(tx, p.ID, change, match)
			return err
		})
	}
	e.wantError(update(atVersion(2)), octavo.PreconditionFailed)
	e.samePage(p)
	e.noError(update(atVersion(1)), "update at the version")
	e.wantError(update(atVersion(1)), octavo.PreconditionFailed)

	restore := func(match sqldb.IfMatch) error {
		return e.write(func(tx *sqldb.Tx) error {
			_, err := e.st.Pages.RestoreRevision(tx, p.ID, 1, match)
			return err
		})
	}
	e.wantError(restore(atVersion(1)), octavo.PreconditionFailed)
	e.noError(restore(atVersion(2)), "restore at the version")

	remove := func(match sqldb.IfMatch) error {
		return e.write(func(tx *sqldb.Tx) error { return e.st.Pages.Delete(tx, p.ID, "", match) })
	}
	e.wantError(remove(atVersion(2)), octavo.PreconditionFailed)
	e.noError(remove(atVersion(3)), "delete at the version")
}

func updateTime(e *env) {
	p := e.create(page("p"))
	e.clock.move(-time.Hour)
	p2 := e.update(p.ID, pagestore.Change{Title: ref("Earlier?")})
	e.equal("updatedAt after the clock went back", p2.UpdatedAt, p.UpdatedAt.Add(time.Millisecond))
	again := e.update(p.ID, pagestore.Change{Title: ref("Earlier!")})
	e.equal("updatedAt of another state while the clock is behind", again.UpdatedAt, p.UpdatedAt.Add(2*time.Millisecond))
	e.equal("createdAt", p2.CreatedAt, p.CreatedAt)
	e.clock.move(2 * time.Hour)
	p3 := e.update(p.ID, pagestore.Change{Title: ref("Later")})
	e.equal("updatedAt after the clock went on", p3.UpdatedAt, p.UpdatedAt.Add(time.Hour))
}

func updateRawFront(e *env) {
	n := page("p")
	n.Path = "docs/p.md"
	n.Frontmatter = json.RawMessage(`{"a":1}`)
	n.RawFront = []byte("---\na: 1 # one\n---\n")
	p := e.create(n)
	raw := func() string {
		now := e.get(octavo.Audience{}, p.ID)
		found, err := e.st.Pages.RawOf(e.ctx, []*octavo.Page{&now})
		e.noError(err, "read raw front matter")
		return found[p.ID]
	}
	e.equal("raw front matter", raw(), string(n.RawFront))

	e.update(p.ID, pagestore.Change{Content: ref("other")})
	e.equal("raw front matter after a change of content", raw(), string(n.RawFront))

	p = e.update(p.ID, pagestore.Change{RawFront: ref([]byte("---\na: 1\n---\n"))})
	e.equal("revision after a change of raw front matter", p.Revision, int64(3))

	e.update(p.ID, pagestore.Change{Frontmatter: ref([]byte(`{"a":2}`))})
	e.equal("raw front matter after it changed its meaning", raw(), "")
}

// updateImportSet: a page joins a set and leaves it as any change is made, without
// a revision. A link by path leads to the page of the same set first.
func updateImportSet(e *env) {
	made := func(set string) octavo.Page {
		n := page("p-" + set)
		n.Path, n.ImportSet = "docs/p.md", set
		return e.create(n)
	}
	a, b := made("a"), made("b")
	n := page("from")
	n.Path, n.ImportSet, n.Content = "docs/from.md", "b", "[p](docs/p.md)"
	from := e.create(n)
	for _, c := range []struct {
		set  string
		want octavo.Page
	}{{"b", b}, {"a", a}, {"", a}} {
		before := e.get(everyone, from.ID)
		from = e.update(from.ID, pagestore.Change{ImportSet: ref(c.set)})
		e.equal("set", e.get(everyone, from.ID).ImportSet, c.set)
		e.equal("revision", from.Revision, int64(1))
		e.equal("a version where the set changed", from.Version > before.Version, before.ImportSet != c.set)
		have, err := e.st.Pages.LinkTargets(e.ctx, everyone, from.ID)
		e.noError(err, "resolve links")
		e.equal("target from set "+c.set, have, []pagestore.LinkTarget{{ID: c.want.ID, Slug: c.want.Slug, Title: c.want.Title}})
		links, _, _, err := e.st.Pages.Backlinks(e.ctx, everyone, c.want.ID, sqldb.Cursor{}, 10)
		e.noError(err, "list backlinks")
		e.equal("backlinks from set "+c.set, len(links), 1)
	}
}
