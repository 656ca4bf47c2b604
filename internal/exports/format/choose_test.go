package format_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/exports/exporttest"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// TestSectionsAndItems shows what items choose, and in which order.
func TestSectionsAndItems(t *testing.T) {
	t.Parallel()
	rigs(t, func(t *testing.T, r *rig) {
		a := r.page(exporttest.Published("a", "# Title a"))
		below := func(parent octavo.Page, slug string, status octavo.PageStatus) octavo.Page {
			n := exporttest.Published(slug, "# Title "+slug)
			n.ParentID, n.Status = parent.ID, status
			return r.page(n)
		}
		b := below(a, "a-b", octavo.Published)
		c := below(b, "a-b-c", octavo.Published)
		d := below(a, "a-d", octavo.Draft)
		e := below(d, "a-d-e", octavo.Published)
		item := func(p octavo.Page, kind octavo.ExportItemType, o octavo.ExportItemOptions) octavo.ExportItem {
			return octavo.ExportItem{ID: p.ID, Type: kind, Options: o}
		}
		one := 1
		for _, x := range []struct {
			name  string
			items []octavo.ExportItem
			draft bool
			want  []string
		}{
			{"a page", []octavo.ExportItem{item(b, octavo.ItemPage, octavo.ExportItemOptions{})}, false, []string{"a-b.md"}},
			{"a section", []octavo.ExportItem{item(a, octavo.ItemSection, octavo.ExportItemOptions{})}, false, []string{"a-d-e.md", "a/b/c.md", "a/b/index.md", "a/index.md"}},
			{"with drafts", []octavo.ExportItem{item(a, octavo.ItemSection, octavo.ExportItemOptions{})}, true, []string{"a/b/c.md", "a/b/index.md", "a/d/e.md", "a/d/index.md", "a/index.md"}},
			{"one level", []octavo.ExportItem{item(a, octavo.ItemSection, octavo.ExportItemOptions{Depth: &one})}, true, []string{"a/b.md", "a/d.md", "a/index.md"}},
			{"twice", []octavo.ExportItem{item(c, octavo.ItemPage, octavo.ExportItemOptions{}), item(b, octavo.ItemSection, octavo.ExportItemOptions{}), item(e, octavo.ItemPage, octavo.ExportItemOptions{})}, false, []string{"a-b/c.md", "a-b/index.md", "a-d-e.md"}},
		} {
			files, _, _ := r.files(octavo.ExportRequest{Scope: octavo.ExportSelected, IncludeDrafts: x.draft, Selection: octavo.ExportSelection{Mode: octavo.SelectIDs, Items: x.items}})
			if have := slices.Sorted(maps.Keys(files)); !slices.Equal(have, x.want) {
				t.Errorf("%s: have %v, want %v", x.name, have, x.want)
			}
		}
	})
}

// asked counts how often a database asks its context whether it has ended.
type asked struct {
	context.Context
	times *atomic.Int64
}

func (a asked) Done() <-chan struct{} {
	a.times.Add(1)
	return a.Context.Done()
}

// TestSectionReadOnce shows that naming a section many times costs what
// naming it once does.
func TestSectionReadOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	root := r.page(exporttest.Published("root", "x"))
	leaf := exporttest.Published("leaf", "x")
	leaf.ParentID = root.ID
	r.page(leaf)
	cost := func(items int) int64 {
		ctx := asked{t.Context(), &atomic.Int64{}}
		_, err := r.Render(ctx, octavo.ExportRequest{Format: octavo.ExportMarkdown, Scope: octavo.ExportSelected, Selection: octavo.ExportSelection{
			Mode: octavo.SelectIDs, Items: slices.Repeat([]octavo.ExportItem{{ID: root.ID, Type: octavo.ItemSection}}, items),
		}}, io.Discard, func(int, int) {})
		exporttest.Must(t, err)
		return ctx.times.Load()
	}
	if once, often := cost(1), cost(400); once == 0 || often > 2*once {
		t.Errorf("the context is asked %d times for one item and %d times for 400 of the same", once, often)
	}
}

// TestManyItems chooses 100,000 items, and then as many of which half do not
// exist.
func TestManyItems(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	var items []octavo.ExportItem
	exporttest.Must(t, r.Store.DB.Write(t.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) error {
		for i := range 2000 {
			p, err := r.Store.Pages.Create(tx, exporttest.Published(fmt.Sprintf("p%d", i), "x"))
			if err != nil {
				return err
			}
			items = append(items, octavo.ExportItem{ID: p.ID, Type: octavo.ItemPage})
		}
		return nil
	}))
	for len(items) < 100_000 {
		items = append(items, items[:2000]...)
	}
	request := octavo.ExportRequest{Format: octavo.ExportMarkdown, Scope: octavo.ExportSelected, Selection: octavo.ExportSelection{Mode: octavo.SelectIDs, Items: items}}
	contents, err := r.Choose(t.Context(), octavo.Audience{}, request)
	if err != nil || len(contents.Pages) != 2000 {
		t.Errorf("have %d pages, %v, want 2000", len(contents.Pages), err)
	}
	for i := range 50_000 {
		items[i].ID = "page_none"
	}
	_, err = r.Choose(t.Context(), octavo.Audience{}, request)
	var known *octavo.Error
	if !errors.As(err, &known) || len(known.Fields) != octavo.MaxErrors {
		t.Errorf("have %v", err)
	}
}

// TestPicturesWithMuchToSay exports many pages that show one picture with a description
// too long to repeat in every response.
func TestPicturesWithMuchToSay(t *testing.T) {
	t.Parallel()
	rigs(t, func(t *testing.T, r *rig) {
		image := r.asset("p.png", "bytes of a picture")
		long := strings.Repeat("字", octavo.MaxAssetText)
		pages := 1 + sqldb.MaxSlice/(2*len(long))
		exporttest.Must(t, r.Store.DB.Write(t.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) error {
			say := &long
			if _, err := r.Store.Assets.Update(tx, image.ID, octavo.AssetPatch{Alt: &say, Caption: &say}, nil); err != nil {
				return err
			}
			for i := range pages {
				if _, err := r.Store.Pages.Create(tx, exporttest.Published(fmt.Sprint("page-", i), "![]("+octavo.AssetPath(image.Key, image.Name)+")")); err != nil {
					return err
				}
			}
			return nil
		}))
		files, _, report := r.files(octavo.ExportRequest{Scope: octavo.ExportSite})
		if len(files) != pages+1 || len(report.Warnings) > 0 {
			t.Errorf("have %d files of %d pages and a picture, warnings %v", len(files), pages, report.Warnings)
		}
	})
}

// TestItemTitles shows that what an item says of a page holds
// also where a section before it has the page.
func TestItemTitles(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	root := r.page(exporttest.Published("root", "x"))
	leaf := exporttest.Published("leaf", "x")
	leaf.ParentID = root.ID
	below := r.page(leaf)
	files, _, _ := r.files(octavo.ExportRequest{Format: octavo.ExportHTML, Scope: octavo.ExportSelected, Selection: octavo.ExportSelection{
		Mode: octavo.SelectIDs, Items: []octavo.ExportItem{
			{ID: root.ID, Type: octavo.ItemSection},
			{ID: below.ID, Type: octavo.ItemPage, Options: octavo.ExportItemOptions{Title: "Another heading"}},
		},
	}})
	if !strings.Contains(files["leaf.html"], "<h1>Another heading</h1>") {
		t.Errorf("the page is not called as was asked: %s", files["leaf.html"])
	}
}
