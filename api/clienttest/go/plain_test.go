package clienttest_test

import (
	"bytes"
	"context"
	"mime/multipart"
	"net/http"
	"testing"

	"github.com/octavo-docs/octavo/api/clienttest/go/octavoapi/plain"
)

// TestPlain uses the client that oapi-codegen generates with its default settings
// for what the other generators are tried with.
func TestPlain(t *testing.T) {
	token, ctx := setting(t, "OCTAVO_TOKEN"), t.Context()
	c, err := plain.NewClientWithResponses(setting(t, "OCTAVO_URL")+"/v1", plain.WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
		r.Header.Set("Authorization", "Bearer "+token)
		return nil
	}))
	if err != nil {
		t.Fatal(err)
	}
	page, err := c.CreatePageWithResponse(ctx, nil, plain.PageCreateRequest{
		Title: "Plain", Slug: "go-plain", Content: "plainquokka", Status: new(plain.PageStatusPublished), Frontmatter: &map[string]any{"tags": []string{"go-plain"}},
	})
	wantStatus(t, page, err, http.StatusCreated)
	id := page.JSON201.Id
	t.Cleanup(func() { remove(t, newClient(t), id) })

	patched, err := c.PatchPageWithResponse(ctx, id, nil, plain.PagePatch{Title: new("Changed")})
	wantStatus(t, patched, err, http.StatusOK)
	equal(t, "title", patched.JSON200.Title, "Changed")

	list, err := c.ListPagesWithResponse(ctx, &plain.ListPagesParams{Tag: new("go-plain"), Include: &plain.Include{"authors", "children"}})
	wantStatus(t, list, err, http.StatusOK)
	equal(t, "author", only(t, "authors", only(t, "pages", &list.JSON200.Data).Authors).Name != "", true)

	for tag, want := range map[string]int{"go-plain": 1, "other": 0} {
		found, err := c.SearchPagesWithResponse(ctx, &plain.SearchPagesParams{
			Q: "plainquokka", Prefer: new("wait=10"), Filters: &plain.SearchFilters{Tags: &[]string{tag}},
		})
		wantStatus(t, found, err, http.StatusOK)
		equal(t, "results for the tag "+tag, len(*found.JSON200), want)
	}

	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	file, err := form.CreateFormFile("file", "plain.txt")
	if err == nil {
		_, err = file.Write([]byte("plain"))
	}
	if err != nil || form.Close() != nil {
		t.Fatal(err)
	}
	asset, err := c.CreateAssetWithBodyWithResponse(ctx, nil, form.FormDataContentType(), &body)
	wantStatus(t, asset, err, http.StatusAccepted)
	equal(t, "size", asset.JSON202.Size, 5)

	var request plain.ExportRequest
	request.Format, request.Scope = plain.ExportRequestFormatMarkdown, plain.ExportRequestScopePublished
	request.Selection.Mode = plain.Ids
	request.Selection.Items = append(request.Selection.Items, struct {
		Id      plain.Identifier                                                             `json:"id"`
		Options *map[string]plain.ExportRequest_Selection_Items_Options_AdditionalProperties `json:"options,omitempty"`
		Type    plain.ExportRequestSelectionItemsType                                        `json:"type"`
	}{Id: id, Type: plain.ExportRequestSelectionItemsTypePage})
	request.Delivery.Channels = []plain.ExportRequest_Delivery_Channels_Item{}
	if err := request.Rendering.Theme.FromExportRequestRenderingTheme0("system"); err != nil {
		t.Fatal(err)
	}
	job, err := c.CreateExportWithResponse(ctx, nil, request)
	wantStatus(t, job, err, http.StatusAccepted)
	ended, err := c.GetExportWithResponse(ctx, job.JSON202.Id, &plain.GetExportParams{Wait: new(30)})
	wantStatus(t, ended, err, http.StatusOK)
	equal(t, "status", ended.JSON200.Status, plain.ExportJobStatusReady)
}
