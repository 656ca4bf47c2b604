package client_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/client"
)

const assetJSON = `{"id":"asset_1","url":"http://h/files/k/a.txt","contentType":"text/plain","size":4,"name":"a.txt","metadata":{"alt":"A"}}`

// TestUpload sends a file, whose first try is lost, and reads what arrived.
func TestUpload(t *testing.T) {
	tries := 0
	var keys, forms []string
	c, _ := connect(t, func(w http.ResponseWriter, r *http.Request) {
		tries++
		keys = append(keys, r.Header.Get("Idempotency-Key"))
		if tries == 1 {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		if err := r.ParseMultipartForm(1 << 20); err != nil {
			t.Error(err)
			return
		}
		file, header, err := r.FormFile("file")
		if err != nil {
			t.Error(err)
			return
		}
		text, _ := io.ReadAll(file)
		forms = append(forms, fmt.Sprint(header.Filename, " ", header.Header.Get("Content-Type"), " ", string(text), " ", r.MultipartForm.Value["metadata"], " ", r.MultipartForm.Value["source"], " ", r.ContentLength > 0))
		w.Header().Set("ETag", `"1.1"`)
		w.WriteHeader(http.StatusAccepted)
		fmt.Fprint(w, assetJSON)
	})
	alt := "A"
	var progress []string
	a, err := c.Upload(t.Context(), client.Upload{
		Content: strings.NewReader("text"), Name: "../é \"a\".txt", ContentType: "text/plain", Source: "img/a.txt",
		Metadata: octavo.AssetMetadata{Alt: &alt},
		Progress: func(sent, total int64) { progress = append(progress, fmt.Sprint(sent, "/", total)) },
	})
	if err != nil || a.ID != "asset_1" || *a.Metadata.Alt != "A" || a.ETag != `"1.1"` {
		t.Fatalf("have %+v, %v", a, err)
	}
	want := "[é _a_.txt text/plain text [{\"alt\":\"A\"}] [img/a.txt] true]"
	if fmt.Sprint(forms) != want || len(progress) == 0 || progress[len(progress)-1] != "4/4" || keys[0] == "" || keys[0] != keys[1] {
		t.Errorf("have %v, keys %v, progress %v; want %s, one key, and 4/4 at last", forms, keys, progress, want)
	}
}

func TestUploadUnreadableFile(t *testing.T) {
	c, _ := connect(t, func(http.ResponseWriter, *http.Request) { t.Error("a request was sent") })
	broken := errors.New("broken")
	if _, err := c.Upload(t.Context(), client.Upload{Content: unseekable{broken}}); !errors.Is(err, broken) {
		t.Errorf("have %v, want %v", err, broken)
	}
}

type unseekable struct{ err error }

func (u unseekable) Read([]byte) (int, error)       { return 0, u.err }
func (u unseekable) Seek(int64, int) (int64, error) { return 0, u.err }

// TestAssetRequests looks at what the calls send.
func TestAssetRequests(t *testing.T) {
	var have string
	c, _ := connect(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		have = r.Method + " " + r.URL.RequestURI() + " " + string(body)
		switch {
		case r.Method == http.MethodDelete:
			w.WriteHeader(http.StatusNoContent)
		case r.URL.Path == "/v1/assets":
			fmt.Fprint(w, `{"data":[`, assetJSON, `],"pagination":{"limit":20,"hasMore":false}}`)
		default:
			fmt.Fprint(w, assetJSON)
		}
	})
	alt, unused := "new", true
	text := &alt
	for _, call := range []struct {
		want string
		do   func() error
	}{
		{"GET /v1/assets/asset_1 ", func() error { _, err := c.Asset(t.Context(), "asset_1"); return err }},
		{"GET /v1/assets?contentType=image%2F%2A&limit=5&tag=a&unused=true ", func() error {
			_, err := c.ListAssets(t.Context(), client.AssetQuery{ContentType: "image/*", Tag: "a", Unused: &unused, Limit: 5})
			return err
		}},
		{`PATCH /v1/assets/asset_1 {"alt":"new","caption":null,"tags":["a"]}`, func() error {
			_, err := c.PatchAsset(t.Context(), "asset_1", octavo.AssetPatch{Alt: &text, Caption: new(*string), Tags: &[]string{"a"}})
			return err
		}},
		{`PATCH /v1/assets/asset_1 {"tags":null}`, func() error {
			_, err := c.PatchAsset(t.Context(), "asset_1", octavo.AssetPatch{Tags: new([]string)})
			return err
		}},
		{"DELETE /v1/assets/asset_1?force=true ", func() error { return c.DeleteAsset(t.Context(), "asset_1", client.Force()) }},
	} {
		if err := call.do(); err != nil || have != call.want {
			t.Errorf("have %q, %v; want %q", have, err, call.want)
		}
	}
	n := 0
	for a, err := range c.AllAssets(t.Context(), client.AssetQuery{}) {
		if err != nil || a.ID != "asset_1" {
			t.Errorf("have %+v, %v", a, err)
		}
		n++
	}
	if n != 1 {
		t.Errorf("have %d assets, want 1", n)
	}
}
