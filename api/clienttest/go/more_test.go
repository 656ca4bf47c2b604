package clienttest_test

import (
	"crypto/rand"
	"net/http"
	"testing"

	"github.com/octavo-docs/octavo/api/clienttest/go/octavoapi"
)

func TestProblems(t *testing.T) {
	c := newClient(t)
	page := octavoapi.PageCreateRequest{Title: "Page", Slug: "go-taken", Content: "c"}
	create(t, c, page)

	taken, err := c.CreatePageWithResponse(t.Context(), nil, page)
	wantStatus(t, taken, err, http.StatusConflict)
	wantProblem(t, taken.ApplicationproblemJSON409, 409, "slug-taken")

	invalid, err := c.CreatePageWithResponse(t.Context(), nil, octavoapi.PageCreateRequest{Slug: "No Slug"})
	wantStatus(t, invalid, err, http.StatusBadRequest)
	wantProblem(t, invalid.ApplicationproblemJSON400, 400, "invalid-request")
	paths := map[string]bool{}
	for _, e := range *invalid.ApplicationproblemJSON400.Errors {
		paths[e.Path] = true
	}
	equal(t, "/title among the errors", paths["/title"], true)
	equal(t, "/slug among the errors", paths["/slug"], true)

	// Without credentials there is no body, but a header that says why.
	anonymous, err := octavoapi.NewClientWithResponses(setting(t, "OCTAVO_URL") + "/v1")
	if err != nil {
		t.Fatal(err)
	}
	refused, err := anonymous.ListPagesWithResponse(t.Context(), nil)
	wantStatus(t, refused, err, http.StatusUnauthorized)
	equal(t, "length of the body", len(refused.Body), 0)
	equal(t, "WWW-Authenticate is there", refused.Headers401.WWWAuthenticate != nil, true)
}

func TestIdempotency(t *testing.T) {
	c := newClient(t)
	page := octavoapi.PageCreateRequest{Title: "Page", Slug: "go-once", Content: "c"}
	params := &octavoapi.CreatePageParams{IdempotencyKey: new(rand.Text())}
	first, err := c.CreatePageWithResponse(t.Context(), params, page)
	wantStatus(t, first, err, http.StatusCreated)
	t.Cleanup(func() { remove(t, c, first.JSON201.Id) })

	again, err := c.CreatePageWithResponse(t.Context(), params, page)
	wantStatus(t, again, err, http.StatusCreated)
	equal(t, "id", again.JSON201.Id, first.JSON201.Id)
	equal(t, "replayed", *again.Headers201.IdempotencyReplayed, "true")
}

func TestBulk(t *testing.T) {
	c := newClient(t)
	existing := create(t, c, octavoapi.PageCreateRequest{Title: "Page", Slug: "go-bulk", Content: "c"})
	fresh := octavoapi.BulkPage{Title: new("New"), Slug: new("go-bulk-new"), Content: new("n")}
	patch := octavoapi.BulkPage{Status: new(octavoapi.PageStatusPublished)}
	taken := octavoapi.BulkPage{Title: new("Taken"), Slug: new("go-bulk"), Content: new("t")}
	id := &existing.JSON201.Id
	r, err := c.BulkPagesWithResponse(t.Context(), nil, octavoapi.BulkRequest{Operations: []octavoapi.BulkOperation{
		{Op: octavoapi.BulkOperationOpCreate, Page: &fresh, FormerSlugs: &[]string{"go-bulk-former"}},
		{Op: octavoapi.BulkOperationOpUpdate, Id: id, IfMatch: existing.Headers201.ETag, Page: &patch},
		{Op: octavoapi.BulkOperationOpCreate, Page: &taken},
		{Op: octavoapi.BulkOperationOpDelete, Id: id},
	}})
	wantStatus(t, r, err, http.StatusOK)
	results := r.JSON200.Results
	if len(results) != 4 {
		t.Fatalf("results: have %d, want 4; body: %s", len(results), r.Body)
	}
	for i, want := range []int{201, 200, 409, 204} {
		if results[i].Status != want {
			t.Fatalf("result %d: have status %d, want %d; body: %s", i, results[i].Status, want, r.Body)
		}
	}
	t.Cleanup(func() { remove(t, c, results[0].Page.Id) })
	equal(t, "status", results[1].Page.Status, octavoapi.PageStatusPublished)
	wantProblem(t, results[2].Problem, 409, "slug-taken")
}

// A former slug redirects; a client follows, or asks not to.
func TestBySlug(t *testing.T) {
	c := newClient(t)
	page := octavoapi.PageReplace{Title: "Page", Slug: "go-slug", Content: "c"}
	id := create(t, c, octavoapi.PageCreateRequest{Title: page.Title, Slug: page.Slug, Content: page.Content}).JSON201.Id
	page.Slug = "go-slug-now"
	replaced, err := c.ReplacePageWithResponse(t.Context(), id, nil, page)
	wantStatus(t, replaced, err, http.StatusOK)

	for _, slug := range []string{"go-slug-now", "go-slug"} {
		r, err := c.GetPageBySlugWithResponse(t.Context(), slug, nil)
		wantStatus(t, r, err, http.StatusOK)
		equal(t, "id of "+slug, r.JSON200.Id, id)
	}

	staying := newClient(t, octavoapi.WithHTTPClient(&http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}))
	moved, err := staying.GetPageBySlugWithResponse(t.Context(), "go-slug", nil)
	wantStatus(t, moved, err, http.StatusPermanentRedirect)
	equal(t, "Location is there", moved.Headers308.Location != nil, true)

	none, err := c.GetPageBySlugWithResponse(t.Context(), "go-slug-never", nil)
	wantStatus(t, none, err, http.StatusNotFound)
	wantProblem(t, none.ApplicationproblemJSON404, 404, "not-found")
}

// The operations of the contract answer under its own paths too.
func TestContractPaths(t *testing.T) {
	c := newClient(t)
	health, err := c.DemoBasicResponseWithResponse(t.Context(), nil)
	wantStatus(t, health, err, http.StatusOK)
	equal(t, "health", health.JSON200.Status, octavoapi.HealthStatus("ok"))

	made, err := c.DemoRequestBodyVariantsWithResponse(t.Context(), nil, octavoapi.PageCreate{Title: "Page", Slug: "go-contract", Content: "c"})
	wantStatus(t, made, err, http.StatusCreated)
	t.Cleanup(func() { remove(t, c, made.JSON201.Id) })

	read, err := c.DemoPathParametersWithResponse(t.Context(), made.JSON201.Id, nil)
	wantStatus(t, read, err, http.StatusOK)
	equal(t, "slug", read.JSON200.Slug, "go-contract")

	listed, err := c.DemoBasicRequestWithResponse(t.Context(), &octavoapi.DemoBasicRequestParams{Slug: new("go-contract")})
	wantStatus(t, listed, err, http.StatusOK)
	equal(t, "page listed", only(t, "pages", &listed.JSON200.Data).Id, made.JSON201.Id)
}
