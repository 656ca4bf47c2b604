package format_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/assets"
	"github.com/octavo-docs/octavo/internal/exports/exporttest"
	"github.com/octavo-docs/octavo/internal/store/assetstore"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// TestSitesFollowAnyChanges draws changes of pages, assets and of what is asked
// for, and compares each site with that of a server that keeps nothing.
func TestSitesFollowAnyChanges(t *testing.T) {
	t.Parallel()
	const seeds, pages, steps = 3, 6, 60
	for seed := range uint64(seeds) {
		r := newRig(t)
		draw := drawer{rand.New(rand.NewPCG(seed, 0))}
		put := func(name, content string) {
			s := r.uploads()
			up, err := s.Receive(t.Context(), strings.NewReader(content), name, "")
			exporttest.Must(t, err)
			_, err = s.Create(t.Context(), sqldb.Cause{}, up, assets.Description{Source: "docs/" + name}, nil)
			exporttest.Must(t, err)
		}
		put("a.png", "first bytes of a")
		put("b.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>")
		ids := make([]octavo.ID, pages)
		for i := range ids {
			n := exporttest.Published(fmt.Sprint("p", i), draw.text(pages))
			if i%2 == 0 {
				n.Path = fmt.Sprintf("docs/p%d.md", i)
			}
			ids[i] = r.page(n).ID
		}
		for step := range steps {
			said := draw.change(r, ids, put)
			in := draw.request(ids)
			render := func(r *rig) ([]byte, string) {
				var out bytes.Buffer
				report, err := r.Render(t.Context(), in, &out, func(int, int) {})
				if err != nil {
					return nil, err.Error()
				}
				return out.Bytes(), fmt.Sprint(report)
			}
			have, haveReport := render(r)
			want, wantReport := render(r.fresh())
			if !bytes.Equal(have, want) || haveReport != wantReport {
				t.Fatalf("seed %d, step %d, %s: what was kept changes the site (%d bytes, want %d) or its report:\nhave %s\nwant %s", seed, step, said, len(have), len(want), haveReport, wantReport)
			}
		}
	}
}

type drawer struct{ *rand.Rand }

func (d drawer) of(list ...string) string { return list[d.IntN(len(list))] }

// text draws what pages say, much of it about each other.
func (d drawer) text(pages int) string {
	var b strings.Builder
	for range 1 + d.IntN(4) {
		slug := fmt.Sprint("p", d.IntN(pages))
		fmt.Fprintf(&b, d.of("# Title\n\n", "## Part %s\n\n", "[to](%s)\n\n", "[to](%s.md#part)\n\n", "[![](a.png)](%s)\n\n", "![](b.svg) %s\n\n", "[file](a.png)\n\n",
			"![away](https://x.example/i.png)\n\n", "```go\nvar %s = 1\n```\n\n", ":::note\n%s\n:::\n\n", "[gone](nowhere-%s)\n\n", "<Tabs><Tab title=\"%s\">x</Tab></Tabs>\n\n"), slug)
	}
	return b.String()
}

// change draws one change and makes it, unless the store refuses it.
func (d drawer) change(r *rig, ids []octavo.ID, put func(name, content string)) (said string) {
	i := d.IntN(len(ids))
	text, title, slug := d.text(len(ids)), d.of("Title", "Other", "Titel ü"), d.of("p1", "p2", "moved", fmt.Sprint("p", i))
	status := octavo.PageStatus(d.of("published", "published", "draft", "archived"))
	front := []byte(d.of(`{"description":"says"}`, `{"lang":"de"}`, `{"lang":"ar","description":"other"}`, `{"title":"front"}`))
	position := octavo.OptInt{}
	if n := int64(d.IntN(4)); n > 0 {
		position.Value = &n
	}
	parent := ids[d.IntN(len(ids))]
	if d.IntN(3) == 0 {
		parent = ""
	}
	c := pagestore.Change{}
	switch kind := d.of("text", "title", "slug", "status", "front", "position", "parent", "asset", "replace"); kind {
	case "text":
		c.Content = &text
	case "title":
		c.Title = &title
	case "slug":
		c.Slug = &slug
	case "status":
		c.Status = &status
	case "front":
		c.Frontmatter = &front
	case "position":
		c.Position = &position
	case "parent":
		c.ParentID = &parent
	case "replace":
		put(d.of("a.png", "b.svg"), text)
		return "an asset replaced"
	default:
		list, _, err := r.Store.Assets.List(r.Context(), octavo.Audience{}, assetstore.Query{Limit: 10})
		exporttest.Must(r, err)
		if len(list) == 0 {
			return "nothing"
		}
		a, alt := list[d.IntN(len(list))], &title
		err = r.Store.DB.Write(r.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) error {
			_, err := r.Store.Assets.Update(tx, a.ID, octavo.AssetPatch{Alt: &alt}, nil)
			return err
		})
		return fmt.Sprintf("asset %s described: %v", a.Name, err)
	}
	err := r.Store.DB.Write(r.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) error {
		_, err := r.Store.Pages.Update(tx, ids[i], c, nil)
		return err
	})
	return fmt.Sprintf("page %d changed by %+v: %v", i, c, err)
}

// request draws what is asked for.
func (d drawer) request(ids []octavo.ID) octavo.ExportRequest {
	in := octavo.ExportRequest{Format: octavo.ExportHTML, Scope: octavo.ExportSite, Selection: octavo.ExportSelection{Mode: octavo.SelectAll}}
	in.IncludeDrafts, in.Rendering.EmbedAssets = d.IntN(3) == 0, d.IntN(4) > 0
	switch d.IntN(8) {
	case 0:
		in.Rendering.Theme = octavo.ExportTheme{Name: "x", Tokens: map[string]string{"background": "#000000"}}
	case 1:
		alt := "otherwise"
		in.Rendering.Metadata.Alt = &alt
	case 2:
		in.Scope = octavo.ExportPublished
		in.IncludeDrafts = false
	case 3:
		in.Scope, in.IncludeDrafts = octavo.ExportSelected, true
		in.Selection = octavo.ExportSelection{Mode: octavo.SelectIDs}
		for _, id := range ids {
			if d.IntN(3) > 0 {
				in.Selection.Items = append(in.Selection.Items, octavo.ExportItem{ID: id, Type: octavo.ItemPage, Options: octavo.ExportItemOptions{Title: d.of("", "", "Called otherwise")}})
			}
		}
	}
	return in
}
