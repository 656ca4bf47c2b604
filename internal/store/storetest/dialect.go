package storetest

import (
	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// dialects: a new page has the dialect that it says, else that of its parent, else that
// of the site. A change of it alone is a new version and no revision, and what was derived
// of the text is derived anew.
func dialects(e *env) {
	first := e.create(page("first"))
	e.equal("before anybody says one", first.Dialect, octavo.Dialect(""))
	e.noError(e.write(func(tx *sqldb.Tx) error { return tx.SetSetting(sqldb.DialectSetting, "hugo") }), "set the dialect of the site")
	said := page("said")
	said.Dialect = ref(octavo.DialectMyST)
	parent := e.create(said)
	none := page("none")
	none.ParentID, none.Dialect = parent.ID, ref(octavo.Dialect(""))
	below := page("below")
	below.ParentID = parent.ID
	prepared := page("prepared")
	prepared.ParentID, prepared.Content = parent.ID, "[a](b)"
	e.st.Pages.Prepare(&prepared)
	for _, c := range []struct {
		new  pagestore.NewPage
		want octavo.Dialect
	}{
		{page("root"), octavo.DialectHugo},
		{none, ""},
		{below, octavo.DialectMyST},
		{prepared, octavo.DialectMyST},
	} {
		p := e.create(c.new)
		e.equal(p.Slug, p.Dialect, c.want)
		e.samePage(p)
	}
	changed := e.update(first.ID, pagestore.Change{Dialect: ref(octavo.DialectMkDocs)})
	e.equal("changed", changed.Dialect, octavo.DialectMkDocs)
	e.equal("a version, and no revision", []int64{changed.Version, changed.Revision}, []int64{2, 1})
	e.samePage(changed)
	e.equal("the same", e.update(first.ID, pagestore.Change{Dialect: ref(octavo.DialectMkDocs)}).Version, int64(2))
	e.equal("cleared", e.update(first.ID, pagestore.Change{Dialect: ref(octavo.Dialect(""))}).Dialect, octavo.Dialect(""))
}
