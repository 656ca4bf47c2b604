// Package ogen_test checks that the client which ogen generates from the served
// document, with its default settings, is right. scripts/test-generators generates
// it and starts the server.
package ogen_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/go-faster/jx"
	ht "github.com/ogen-go/ogen/http"
	"github.com/ogen-go/ogen/ogenerrors"

	"github.com/octavo-docs/octavo/api/clienttest/ogen/octavoapi"
)

// credentials has a token, and none of the other credentials.
type credentials struct{}

func (credentials) ApiKeyAuth(context.Context, octavoapi.OperationName) (a octavoapi.ApiKeyAuth, err error) {
	return a, ogenerrors.ErrSkipClientSecurity
}

func (credentials) OAuth2(context.Context, octavoapi.OperationName) (a octavoapi.OAuth2, err error) {
	return a, ogenerrors.ErrSkipClientSecurity
}

func (credentials) QueryApiKeyAuth(context.Context, octavoapi.OperationName) (a octavoapi.QueryApiKeyAuth, err error) {
	return a, ogenerrors.ErrSkipClientSecurity
}

func (credentials) BearerAuth(context.Context, octavoapi.OperationName) (octavoapi.BearerAuth, error) {
	return octavoapi.BearerAuth{Token: os.Getenv("OCTAVO_TOKEN")}, nil
}

func TestUse(t *testing.T) {
	c, err := octavoapi.NewClient(os.Getenv("OCTAVO_URL")+"/v1", credentials{})
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	page := has[*octavoapi.PageHeaders](t)(c.CreatePage(ctx, &octavoapi.PageCreateRequest{
		Title: "Ogen", Slug: "ogen", Content: "ogenogen", Status: octavoapi.NewOptPageStatus(octavoapi.PageStatusPublished),
		Frontmatter: octavoapi.NewOptPageCreateRequestFrontmatter(octavoapi.PageCreateRequestFrontmatter{"tags": jx.Raw(`["ogen"]`)}),
	}, octavoapi.CreatePageParams{}))
	id := page.Response.ID

	changed := has[*octavoapi.PageChangedHeaders](t)(c.PatchPage(ctx,
		&octavoapi.PatchPageApplicationMergePatchJSON{Title: octavoapi.NewOptString("Changed")}, octavoapi.PatchPageParams{PageId: id}))
	if have := changed.Response.Title; have != "Changed" {
		t.Errorf("patch: have the title %q", have)
	}
	list := has[*octavoapi.PageListHeaders](t)(c.ListPages(ctx, octavoapi.ListPagesParams{
		Tag: octavoapi.NewOptString("ogen"), Include: []octavoapi.IncludeItem{octavoapi.IncludeItemAuthors, octavoapi.IncludeItemChildren},
	}))
	if len(list.Response.Data) != 1 || len(list.Response.Data[0].Authors) != 1 {
		t.Errorf("list: have %+v, want one page with its author", list.Response.Data)
	}
	asset := has[*octavoapi.AssetAcceptedHeaders](t)(c.CreateAsset(ctx, &octavoapi.AssetUploadMultipart{
		File: ht.MultipartFile{Name: "ogen.txt", File: strings.NewReader("ogen")}, Metadata: octavoapi.NewOptAssetMetadata(octavoapi.AssetMetadata{Alt: octavoapi.NewOptString("x")}),
	}, octavoapi.CreateAssetParams{}))
	if asset.Response.Metadata.Value.Alt.Value != "x" {
		t.Errorf("upload: have %+v", asset.Response)
	}
	for tag, want := range map[string]int{"ogen": 1, "other": 0} {
		found := has[*octavoapi.SearchPagesOKApplicationJSONHeaders](t)(c.SearchPages(ctx, octavoapi.SearchPagesParams{
			Q: "ogenogen", Prefer: octavoapi.NewOptString("wait=10"), Filters: octavoapi.NewOptSearchFilters(octavoapi.SearchFilters{Tags: []string{tag}}),
		}))
		if len(found.Response) != want {
			t.Errorf("search for the tag %s: have %d results, want %d", tag, len(found.Response), want)
		}
	}
	job := has[*octavoapi.ExportJobHeaders](t)(c.CreateExport(ctx, &octavoapi.ExportRequest{
		Format: octavoapi.ExportRequestFormatMarkdown, Scope: octavoapi.ExportRequestScopePublished,
		Selection: octavoapi.ExportRequestSelection{Mode: octavoapi.ExportRequestSelectionModeIds, Items: []octavoapi.ExportRequestSelectionItemsItem{
			{ID: id, Type: octavoapi.ExportRequestSelectionItemsItemTypePage},
		}},
		Rendering: octavoapi.ExportRequestRendering{Theme: octavoapi.NewStringExportRequestRenderingTheme("system")},
		Delivery:  octavoapi.ExportRequestDelivery{Channels: []octavoapi.ExportRequestDeliveryChannelsItem{}},
	}, octavoapi.CreateExportParams{}))
	ended := has[*octavoapi.GetExportOKHeaders](t)(c.GetExport(ctx, octavoapi.GetExportParams{ExportId: job.Response.ID, Wait: octavoapi.NewOptInt(20)}))
	if have := ended.Response.Status; have != octavoapi.ExportJobStatusReady {
		t.Errorf("export: have the status %s", have)
	}
}

// has returns the answer of a call that is to succeed in one way.
func has[T any](t *testing.T) func(answer any, err error) T {
	return func(answer any, err error) T {
		t.Helper()
		got, ok := answer.(T)
		if err != nil || !ok {
			t.Fatalf("have %T %+v, %v; want %T", answer, answer, err, got)
		}
		return got
	}
}
