package searchapi

import (
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/search"
)

// A cursor of a search only works for callers with the same access.
func TestSearchCursorOwner(t *testing.T) {
	lists := map[string]string{}
	for name, who := range map[string]octavo.Principal{
		"all pages": {}, "published ones": {PublishedOnly: true}, "those with a tag": {SearchOnly: true, Tags: []string{"a"}}, "with two": {SearchOnly: true, Tags: []string{"a", "b"}},
		"with one that looks like two": {SearchOnly: true, Tags: []string{`a""b`}},
	} {
		list := searchList(search.Query{Text: "x"}, who)
		if other, taken := lists[list]; taken {
			t.Errorf("who sees %s and who sees %s have the same cursors", name, other)
		}
		lists[list] = name
	}
	if searchList(search.Query{Text: "x", Tags: []string{"a"}}, octavo.Principal{}) == searchList(search.Query{Text: "x"}, octavo.Principal{Tags: []string{"a"}}) {
		t.Error("tags that are asked for and tags that bound what is seen have the same cursors")
	}
}
