package storetest

import (
	"fmt"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
)

// linkTexts reads what links call pages, from both ends.
func linkTexts(e *env) {
	target := e.create(page("target"))
	open := e.linking("open", "text")
	shown := e.linking("shown", "[a](target) [b](open) [self](shown) [c](none|open) [d](nowhere)")
	n := page("hidden")
	n.Content = "[e](target) [f](open)"
	hidden := e.create(n)
	all := []octavo.ID{target.ID, open.ID, shown.ID, hidden.ID}
	for _, c := range []struct {
		aud  octavo.Audience
		want []pagestore.LinkText
	}{
		{everyone, []pagestore.LinkText{
			{From: shown.ID, To: target.ID, Text: "a"},
			{From: hidden.ID, To: target.ID, Text: "e"},
			{From: shown.ID, To: open.ID, Text: "b"},
			{From: shown.ID, To: open.ID, Text: "c"},
			{From: hidden.ID, To: open.ID, Text: "f"},
		}},
		{public, []pagestore.LinkText{
			{From: shown.ID, To: target.ID, Text: "a"},
			{From: shown.ID, To: open.ID, Text: "b"},
			{From: shown.ID, To: open.ID, Text: "c"},
		}},
	} {
		have, err := e.st.Index.LinkTexts(e.ctx, c.aud, all)
		e.noError(err, "read what links call pages")
		e.equal("links to pages", have, c.want)
	}
	on, err := e.st.Index.LinkTextsOn(e.ctx, all)
	e.noError(err, "read the links of pages")
	e.equal("links on pages", on, []pagestore.LinkText{
		{From: shown.ID, To: target.ID, Text: "a"},
		{From: shown.ID, To: open.ID, Text: "b"},
		{From: shown.ID, To: open.ID, Text: "c"},
		{From: hidden.ID, To: target.ID, Text: "e"}, // what hidden calls the published page is not for its readers
	})

	none := e.create(page("none"))
	rivals, err := e.st.Index.LinkRivals(e.ctx, []octavo.ID{none.ID})
	e.noError(err, "read which pages share links")
	e.equal("rivals", rivals, []octavo.ID{open.ID})
}

// manyLinkTexts has a page that more others link to than are read.
func manyLinkTexts(e *env) {
	target := e.create(page("target"))
	for i := range pagestore.LinkTextPages + 2 {
		e.linking(fmt.Sprintf("linking-%d", i), fmt.Sprintf("[first %d](target) [second](target)", i))
	}
	links, err := e.st.Index.LinkTexts(e.ctx, everyone, []octavo.ID{target.ID})
	e.noError(err, "read what links call a page")
	e.equal("links", len(links), 2*pagestore.LinkTextPages)
	e.equal("the last", links[len(links)-2].Text, fmt.Sprintf("first %d", pagestore.LinkTextPages-1))
}
