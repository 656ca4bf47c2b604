package assetapi

import (
	"mime"
	"net/http"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/assets"
	"github.com/octavo-docs/octavo/internal/httpapi/rest"
)

// FilePattern is the pattern of the addresses of assets' bytes; see octavo.AssetPath.
const FilePattern = "/files/{key}/{name}"

// filePolicy lets a browser only show a file that it opens by itself. Scripts do not
// run, and the file has no origin.
const filePolicy = "default-src 'none'; img-src 'self' data:; media-src 'self'; style-src 'unsafe-inline'; sandbox"

// File returns the bytes of an asset to anybody with its address (decision 21), and
// those of a pending file to callers who see it (decision 70).
func (o Operations) File(r *rest.Request) (*rest.Response, error) {
	file, err := o.Service.Open(r.Context(), r.PathValue("key"), r.PathValue("name"), r.URL.Query(), func() (assets.Asker, error) {
		principal, err := rest.Proposer(r)
		return assets.AskerOf(principal), err
	})
	if err != nil {
		return nil, err
	}
	resp := Answer(file)
	if file.Asset.Pending {
		resp.File.Caching = "private, no-cache"
		resp.Header["Vary"] = "Authorization, X-API-Key"
	}
	return resp, nil
}

// Answer sends a file.
func Answer(file *assets.File) *rest.Response {
	return &rest.Response{
		Status: http.StatusOK,
		Header: map[string]string{"Content-Security-Policy": filePolicy, "Cross-Origin-Resource-Policy": "cross-origin"},
		File: &rest.File{
			Content: file.File, What: "asset " + string(file.Asset.ID), ContentType: file.Asset.ContentType, Tag: file.Asset.SHA256[:32],
			Modified: file.Asset.CreatedAt, Disposition: disposition(file.Asset), Expires: file.Expires,
		},
	}
}

// disposition names the file, and prevents a browser from running it in place.
func disposition(asset octavo.Asset) string {
	kind := "attachment"
	if assets.Inline(asset.ContentType) {
		kind = "inline"
	}
	return mime.FormatMediaType(kind, map[string]string{"filename": asset.Name})
}
