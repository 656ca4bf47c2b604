package pageapi

import (
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/httpapi/rest"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
)

func TestEntityTagText(t *testing.T) {
	const id = octavo.ID("page_01h455vb4pex5vsknk084sn02q")
	published, hidden := octavo.Audience{PublishedOnly: true}, pagestore.Ref{ID: id, Version: 3}
	shown := hidden
	shown.ParentID = "page_1"
	markdown := tagOf(hidden, octavo.Audience{})
	markdown.Media = "md"
	for _, c := range []struct {
		tag  rest.EntityTag
		want string
	}{
		{tagOf(hidden, octavo.Audience{}), `"01h455vb4pex5vsknk084sn02q.3"`},
		{tagOf(shown, octavo.Audience{}), `"01h455vb4pex5vsknk084sn02q.3"`},
		{tagOf(hidden, published), `"01h455vb4pex5vsknk084sn02q.3.n"`},
		{tagOf(shown, published), `"01h455vb4pex5vsknk084sn02q.3.p"`},
		{markdown, `"01h455vb4pex5vsknk084sn02q.3.md"`},
	} {
		if have := c.tag.String(); have != c.want {
			t.Errorf("have %s, want %s", have, c.want)
		}
	}
}
