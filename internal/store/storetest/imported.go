package storetest

import (
	"encoding/json"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// updateImported: what an import brought is kept beside the page, without a change of
// it. Its text is given back where the page has another one by now.
func updateImported(e *env) {
	n := page("p")
	n.Content, n.Imported = "one", json.RawMessage(`{"title":"P","x":[1]}`)
	p := e.create(n)
	imported := func(p octavo.Page, text bool) string {
		found, err := e.st.Pages.Imported(e.ctx, octavo.Audience{}, []*octavo.Page{&p}, text)
		e.noError(err, "read what an import brought")
		return string(found[p.ID])
	}
	e.equal("imported with the page", imported(p, true), `{"title":"P","x":[1]}`)

	edited := e.update(p.ID, pagestore.Change{Content: ref("two")})
	e.equal("imported after an edit", imported(edited, true), `{"title":"P","x":[1],"content":"one"}`)
	e.equal("imported, in a list", imported(edited, false), `{"title":"P","x":[1]}`)
	e.equal("imported, for the page as it was read before", imported(p, true), `{"title":"P","x":[1]}`)

	for _, text := range []string{"three", "", "a\x00b", strings.Repeat("é", 100_000)} {
		same := e.update(p.ID, pagestore.Change{Imported: octavo.Object(octavo.Member{Name: "content", Value: octavo.String(text)}).AppendJSON(nil)})
		e.equal("version after an import without effect", same.Version, edited.Version)
		e.equal("imported by itself", imported(same, true), string(octavo.Object(octavo.Member{Name: "content", Value: octavo.String(text)}).AppendJSON(nil)))
	}
	e.update(p.ID, pagestore.Change{Imported: json.RawMessage(`{"content":"two"}`)})
	e.equal("imported as the page is", imported(edited, true), `{}`)

	hidden, err := e.st.Pages.Imported(e.ctx, octavo.Audience{PublishedOnly: true}, []*octavo.Page{&edited}, true)
	e.noError(err, "read what an import brought")
	e.equal("imported, for readers", len(hidden), 0)
	e.delete(p.ID)
	e.noError(e.write(func(tx *sqldb.Tx) error {
		_, err := tx.Exec(`DELETE FROM pages WHERE id = $1`, p.ID)
		return err
	}), "remove the page")
	e.equal("imported of no page", imported(edited, true), "")
}
