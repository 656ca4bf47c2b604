package clienttest_test

import (
	"maps"
	"net/http"
	"testing"

	"github.com/oapi-codegen/nullable"

	"github.com/octavo-docs/octavo/api/clienttest/go/octavoapi"
)

func TestCreateAndRead(t *testing.T) {
	c := newClient(t)
	created := create(t, c, octavoapi.PageCreateRequest{
		Title: "Größe & Maß", Slug: "go-create", Content: "# Read\n\nSee [this](/there).\n",
		Status:      new(octavoapi.PageStatusPublished),
		Frontmatter: &map[string]any{"tags": []string{"go-create"}, "weight": 7, "nested": map[string]any{"a": nil}},
	})
	id := created.JSON201.Id
	if h := created.Headers201; h.Location == nil || h.ETag == nil || h.XRequestId == nil || h.XRateLimitRemaining == nil {
		t.Errorf("headers of the creation: have %+v, want Location, ETag, X-Request-Id and X-RateLimit-Remaining", *h)
	}

	child := create(t, c, octavoapi.PageCreateRequest{Title: "Child", Slug: "go-create-child", Content: ""})
	move := octavoapi.PagePatch{ParentId: nullable.NewNullableWithValue(id)}
	moved, err := c.PatchPageWithResponse(t.Context(), child.JSON201.Id, nil, move)
	wantStatus(t, moved, err, http.StatusOK)

	read, err := c.GetPageWithResponse(t.Context(), id, &octavoapi.GetPageParams{
		Include: &octavoapi.Include{"authors", "children"}, XTraceId: new("trace-go"),
	})
	wantStatus(t, read, err, http.StatusOK)
	page := read.JSON200
	equal(t, "title", page.Title, "Größe & Maß")
	equal(t, "content", page.Content, "# Read\n\nSee [this](/there).\n")
	equal(t, "status", page.Status, octavoapi.PageStatusPublished)
	equal(t, "createdAt", page.CreatedAt.Equal(created.JSON201.CreatedAt), true)
	equal(t, "trace", *read.Headers200.XTraceId, "trace-go")
	equal(t, "weight", (*page.Frontmatter)["weight"], any(7.0))
	equal(t, "author is named", only(t, "authors", page.Authors).Name != "", true)
	equal(t, "child", only(t, "children", page.Children).Id, child.JSON201.Id)
	equal(t, "link", only(t, "links", page.Links).Href, "/there")

	listed, err := c.ListPagesWithResponse(t.Context(), &octavoapi.ListPagesParams{
		Tag: new("go-create"), Status: new(octavoapi.PageStatusPublished), Sort: new(octavoapi.NewestFirst),
	})
	wantStatus(t, listed, err, http.StatusOK)
	equal(t, "page listed", only(t, "pages", &listed.JSON200.Data).Id, id)
	equal(t, "more pages", listed.JSON200.Pagination.HasMore, false)
}

// A member that is null is told apart from one that is absent.
func TestPatch(t *testing.T) {
	c := newClient(t)
	parent := create(t, c, octavoapi.PageCreateRequest{Title: "Parent", Slug: "go-parent", Content: "p"}).JSON201.Id
	id := create(t, c, octavoapi.PageCreateRequest{Title: "Page", Slug: "go-patch", Content: "c"}).JSON201.Id

	for _, step := range []struct {
		patch  octavoapi.PagePatch
		parent string // empty: none
		title  string
	}{
		{octavoapi.PagePatch{ParentId: nullable.NewNullableWithValue(parent), Position: nullable.NewNullableWithValue(3)}, parent, "Page"},
		{octavoapi.PagePatch{Title: new("Renamed")}, parent, "Renamed"},
		{octavoapi.PagePatch{ParentId: nullable.NewNullNullable[octavoapi.Identifier]()}, "", "Renamed"},
	} {
		r, err := c.PatchPageWithResponse(t.Context(), id, nil, step.patch)
		wantStatus(t, r, err, http.StatusOK)
		have, _ := r.JSON200.ParentId.Get() // an error when there is none
		equal(t, "parent", have, step.parent)
		equal(t, "title", r.JSON200.Title, step.title)
		equal(t, "position", *r.JSON200.Position, 3)
		equal(t, "content", r.JSON200.Content, "c")
	}
}

func TestConditionalUpdate(t *testing.T) {
	c := newClient(t)
	created := create(t, c, octavoapi.PageCreateRequest{Title: "Page", Slug: "go-etag", Content: "c"})
	id, first := created.JSON201.Id, *created.Headers201.ETag

	same, err := c.GetPageWithResponse(t.Context(), id, &octavoapi.GetPageParams{IfNoneMatch: &first})
	wantStatus(t, same, err, http.StatusNotModified)

	title := octavoapi.PagePatch{Title: new("Changed")}
	changed, err := c.PatchPageWithResponse(t.Context(), id, &octavoapi.PatchPageParams{IfMatch: &first}, title)
	wantStatus(t, changed, err, http.StatusOK)
	second := *changed.Headers200.ETag
	equal(t, "same tag", first == second, false)

	lost, err := c.PatchPageWithResponse(t.Context(), id, &octavoapi.PatchPageParams{IfMatch: &first}, octavoapi.PagePatch{Title: new("Lost")})
	wantStatus(t, lost, err, http.StatusPreconditionFailed)
	wantProblem(t, lost.ApplicationproblemJSON412, 412, "precondition-failed")

	read, err := c.GetPageWithResponse(t.Context(), id, &octavoapi.GetPageParams{IfNoneMatch: &first})
	wantStatus(t, read, err, http.StatusOK)
	equal(t, "title", read.JSON200.Title, "Changed")
	equal(t, "tag", *read.Headers200.ETag, second)
}

func TestDelete(t *testing.T) {
	c := newClient(t)
	id := create(t, c, octavoapi.PageCreateRequest{Title: "Page", Slug: "go-delete", Content: "c"}).JSON201.Id

	gone, err := c.DeletePageWithResponse(t.Context(), id, nil)
	wantStatus(t, gone, err, http.StatusNoContent)

	read, err := c.GetPageWithResponse(t.Context(), id, nil)
	wantStatus(t, read, err, http.StatusNotFound)
	wantProblem(t, read.ApplicationproblemJSON404, 404, "not-found")

	back, err := c.RestorePageWithResponse(t.Context(), id, nil)
	wantStatus(t, back, err, http.StatusOK)
	equal(t, "slug", back.JSON200.Slug, "go-delete")
}

// The pages of a tag are walked to the end, each of them met once.
func TestPaging(t *testing.T) {
	c := newClient(t)
	want := map[string]int{}
	for _, slug := range []string{"go-list-a", "go-list-b", "go-list-c", "go-list-d", "go-list-e"} {
		create(t, c, octavoapi.PageCreateRequest{
			Title: slug, Slug: slug, Content: "c", Frontmatter: &map[string]any{"tags": []string{"go-list"}},
		})
		want[slug] = 1
	}

	have, slices := map[string]int{}, 0
	params := octavoapi.ListPagesParams{Tag: new("go-list"), Limit: new(2)}
	for more := true; more && slices < 10; slices++ {
		r, err := c.ListPagesWithResponse(t.Context(), &params)
		wantStatus(t, r, err, http.StatusOK)
		for _, page := range r.JSON200.Data {
			have[page.Slug]++
		}
		more, params.Cursor = r.JSON200.Pagination.HasMore, r.JSON200.Pagination.Cursor
		equal(t, "a cursor where there is more", params.Cursor != nil, more)
	}
	equal(t, "slices", slices, 3)
	if !maps.Equal(have, want) {
		t.Errorf("pages met: have %v, want %v", have, want)
	}

	bad, err := c.ListPagesWithResponse(t.Context(), &octavoapi.ListPagesParams{Cursor: new("nonsense")})
	wantStatus(t, bad, err, http.StatusBadRequest)
	wantProblem(t, bad.ApplicationproblemJSON400, 400, "invalid-request")
	equal(t, "path", only(t, "errors", bad.ApplicationproblemJSON400.Errors).Path, "cursor")
}
