package client

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"iter"
	"mime"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"strconv"

	"github.com/octavo-docs/octavo"
)

// Upload is a file to upload as an asset.
type Upload struct {
	Content     io.ReadSeeker // the bytes; read from the start at each attempt
	Name        string        // the name of the file, sent as [octavo.SafeName] makes it
	ContentType string        // the claimed media type, or ""; the server looks at the bytes too
	Metadata    octavo.AssetMetadata
	Source      string // path in an imported tree, or ""

	// Progress, if non-nil, is called with the bytes sent so far and in all. A
	// further attempt begins again at 0.
	Progress func(sent, total int64)

	options []byte // of an import
}

// AssetQuery selects assets. Zero members select all.
type AssetQuery struct {
	Cursor      string // from the last list, which must have had the same query
	Limit       int    // assets in one response, 1 to 100; 0 for the default of the server
	ContentType string // such as image/png, or image/*
	Tag         string
	Unused      *bool // whether no page refers to them
}

func (q AssetQuery) values() url.Values {
	v := url.Values{}
	for name, value := range map[string]string{"cursor": q.Cursor, "contentType": q.ContentType, "tag": q.Tag} {
		if value != "" {
			v.Set(name, value)
		}
	}
	if q.Limit != 0 {
		v.Set("limit", strconv.Itoa(q.Limit))
	}
	if q.Unused != nil {
		v.Set("unused", strconv.FormatBool(*q.Unused))
	}
	return v
}

// Asset is an asset with the ETag of the state that was read.
type Asset struct {
	octavo.Asset
	ETag string
}

// asset sends a request whose response is an asset.
func (c *Client) asset(ctx context.Context, req request, opts []CallOption) (a Asset, err error) {
	a.ETag, err = c.tagged(ctx, req, &a.Asset, opts)
	if err == nil && a.ID == "" {
		err = fmt.Errorf("%s %s: the response has no asset", req.method, req.path)
	}
	return a, err
}

// Force deletes an asset although it is in use.
func Force() CallOption { return setQuery("force", "true") }

// Upload uploads a file as an asset. It streams the file, and has no timeout of
// its own: ctx ends it.
func (c *Client) Upload(ctx context.Context, u Upload, opts ...CallOption) (Asset, error) {
	req, err := c.form(u, "/assets")
	if err != nil {
		return Asset{}, err
	}
	return c.asset(ctx, req, opts)
}

// form returns the request that sends a file to a path.
func (c *Client) form(u Upload, path string) (request, error) {
	size, err := u.Content.Seek(0, io.SeekEnd)
	if err != nil {
		return request{}, fmt.Errorf("find the size of the file: %w", err)
	}
	var boundary [16]byte
	if _, err := io.ReadFull(c.random, boundary[:]); err != nil {
		return request{}, fmt.Errorf("make the boundary of a form: %w", err)
	}
	head, tail, contentType, err := u.frame(hex.EncodeToString(boundary[:]))
	if err != nil {
		return request{}, fmt.Errorf("write a form: %w", err)
	}
	return request{
		method: http.MethodPost, path: path, contentType: contentType,
		length: int64(len(head)) + size + int64(len(tail)),
		content: func() (io.Reader, error) {
			if _, err := u.Content.Seek(0, io.SeekStart); err != nil {
				return nil, fmt.Errorf("return to the start of the file: %w", err)
			}
			file := &progressReader{r: io.LimitReader(u.Content, size), total: size, tell: u.Progress}
			return io.MultiReader(bytes.NewReader(head), file, bytes.NewReader(tail)), nil
		},
	}, nil
}

// frame returns the parts of the form before and after the file.
func (u Upload) frame(boundary string) (head, tail []byte, contentType string, err error) {
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	if err := w.SetBoundary(boundary); err != nil {
		return nil, nil, "", err
	}
	add := func(name, contentType string, parameters map[string]string, text []byte) {
		if err != nil {
			return
		}
		parameters["name"] = name
		header := textproto.MIMEHeader{"Content-Disposition": {mime.FormatMediaType("form-data", parameters)}}
		if contentType != "" {
			header.Set("Content-Type", contentType)
		}
		var part io.Writer
		if part, err = w.CreatePart(header); err == nil {
			_, err = part.Write(text)
		}
	}
	if !u.Metadata.Empty() {
		add("metadata", "application/json", map[string]string{}, u.Metadata.AppendJSON(nil))
	}
	if u.Source != "" {
		add("source", "", map[string]string{}, []byte(u.Source))
	}
	if u.options != nil {
		add("options", "application/json", map[string]string{}, u.options)
	}
	add("file", u.ContentType, map[string]string{"filename": octavo.SafeName(u.Name)}, nil)
	split := form.Len()
	if err == nil {
		err = w.Close()
	}
	return form.Bytes()[:split], form.Bytes()[split:], w.FormDataContentType(), err
}

// progressReader reports how far it was read.
type progressReader struct {
	r           io.Reader
	sent, total int64
	tell        func(sent, total int64)
}

func (p *progressReader) Read(b []byte) (int, error) {
	n, err := p.r.Read(b)
	p.sent += int64(n)
	if p.tell != nil && n > 0 {
		p.tell(p.sent, p.total)
	}
	return n, err
}

// Asset reads the metadata of an asset. Its bytes are at its URL.
func (c *Client) Asset(ctx context.Context, id octavo.ID, opts ...CallOption) (Asset, error) {
	return c.asset(ctx, request{method: http.MethodGet, path: pathOf("/assets", id)}, opts)
}

// ListAssets reads one slice of the assets that q selects.
func (c *Client) ListAssets(ctx context.Context, q AssetQuery, opts ...CallOption) (Slice[octavo.Asset], error) {
	return list[octavo.Asset](ctx, c, "/assets", q.values(), opts)
}

// AllAssets iterates over all assets that q selects, as [Client.All] does over
// pages.
func (c *Client) AllAssets(ctx context.Context, q AssetQuery, opts ...CallOption) iter.Seq2[octavo.Asset, error] {
	return all[octavo.Asset](ctx, c, "/assets", q.values(), opts)
}

// PatchAsset changes the members of an asset's metadata that p names.
func (c *Client) PatchAsset(ctx context.Context, id octavo.ID, p octavo.AssetPatch, opts ...CallOption) (Asset, error) {
	return c.asset(ctx, request{method: http.MethodPatch, path: pathOf("/assets", id), body: p.AppendJSON(nil)}, opts)
}

// DeleteAsset deletes an asset permanently. An asset in use needs [Force].
func (c *Client) DeleteAsset(ctx context.Context, id octavo.ID, opts ...CallOption) error {
	return c.act(ctx, request{method: http.MethodDelete, path: pathOf("/assets", id)}, opts)
}
