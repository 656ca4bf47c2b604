package faulttest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"testing"

	"github.com/octavo-docs/octavo"
)

// uploader uploads files and deletes some of them.
type uploader struct {
	api      *api
	rng      *rand.Rand
	t        testing.TB
	made     int
	answered map[octavo.ID]string // names of what must be there
	gone     map[octavo.ID]bool   // what must not

	unanswered map[string]int64     // sizes of what was sent once and may be there once, by name
	leaving    map[octavo.ID]string // names of what was deleted without an answer, and may be there
	extra      map[octavo.ID]bool   // what is there though there was no answer
}

func newUploader(t testing.TB, a *api, rng *rand.Rand) *uploader {
	return &uploader{
		api: a, rng: rng, t: t, answered: map[octavo.ID]string{}, gone: map[octavo.ID]bool{},
		unanswered: map[string]int64{}, leaving: map[octavo.ID]string{},
	}
}

func (u *uploader) work(ctx context.Context) {
	u.made++
	name, size := fmt.Sprintf("file %d of the uploader", u.made), int64(100+u.rng.IntN(64<<10))
	if u.rng.IntN(8) == 0 {
		size = 2 << 20 // in parts
	}
	res, asset, err := u.api.upload(ctx, name, size)
	switch {
	case err != nil:
		u.unanswered[name] = size
	case res.status >= 500:
		u.unanswered[name] = size
		if wrong := res.refusal(octavo.Unavailable); wrong != nil {
			u.t.Errorf("upload: %v", wrong)
		}
	case res.status != http.StatusAccepted || asset.Size != size:
		u.t.Errorf("upload of %d bytes: have %s", size, res)
	default:
		u.answered[asset.ID] = name
	}
	if u.rng.IntN(3) > 0 {
		return
	}
	for id, name := range u.answered {
		res, err := persist(ctx, u.api, call{method: http.MethodDelete, path: "/assets/" + string(id)})
		delete(u.answered, id)
		if err != nil { // the end
			u.leaving[id] = name
			return
		}
		u.gone[id] = true
		// Not found: it was carried out at a try without an answer.
		if res.status != http.StatusNoContent && res.status != http.StatusNotFound {
			u.t.Errorf("delete asset %s: %s", id, res)
		}
		return
	}
}

// uploaded reads every file.
func (c *chaos) uploaded(u *uploader) {
	listed := map[octavo.ID]octavo.Asset{}
	for cursor := ""; ; {
		res, err := u.api.do(c.t.Context(), call{method: http.MethodGet, path: "/assets?limit=100" + cursor})
		var list struct {
			Data       []octavo.Asset
			Pagination struct {
				Cursor  string
				HasMore bool
			}
		}
		if err == nil {
			err = json.Unmarshal(res.body, &list)
		}
		if err != nil || res.status != http.StatusOK {
			c.t.Errorf("list the assets: %s, %v", res, err)
			return
		}
		for _, asset := range list.Data {
			listed[asset.ID] = asset
		}
		if !list.Pagination.HasMore {
			break
		}
		cursor = "&cursor=" + url.QueryEscape(list.Pagination.Cursor)
	}
	there := u.compare(c.t, listed, func(address string) ([]byte, error) { return c.bytes(u.api, address) })
	c.report.held("files: %d answered and kept, %d deleted; of %d sent without an answer %d are there, once and whole",
		len(u.answered), len(u.gone), len(u.unanswered), there)
}

// compare compares the listed files with the uploads. Each was sent once, so one without a
// response exists at most once, which names in the files identify. It returns the number
// of those.
func (u *uploader) compare(t testing.TB, listed map[octavo.ID]octavo.Asset, read func(address string) ([]byte, error)) (there int) {
	t.Helper()
	for id, name := range u.answered {
		if _, there := listed[id]; !there {
			t.Errorf("asset %s (%s) is lost", id, name)
		}
	}
	u.extra = map[octavo.ID]bool{}
	left := maps.Clone(u.unanswered)
	for id, asset := range listed {
		if u.gone[id] {
			t.Errorf("asset %s was deleted and is there", id)
		}
		body, err := read(asset.URL)
		if have := fmt.Sprintf("%x", sha256.Sum256(body)); err != nil || have != asset.SHA256 {
			t.Errorf("asset %s: have %d bytes, SHA-256 %s, %v; want %d, %s", id, len(body), have, err, asset.Size, asset.SHA256)
		}
		name, known := or(u.answered[id], u.leaving[id]), true
		if name == "" && !u.gone[id] {
			text, _, _ := bytes.Cut(body, []byte{0})
			var size int64
			name = string(text)
			if size, known = left[name]; !known || size != asset.Size {
				t.Errorf("asset %s of %d bytes, %.100q, is there, and nobody sent it, or not twice", id, asset.Size, name)
			}
			delete(left, name)
			u.extra[id] = true
			there++
		}
		if want, err := io.ReadAll(&filler{name: name, size: asset.Size}); err != nil || known && !u.gone[id] && !bytes.Equal(body, want) {
			t.Errorf("asset %s is not what was uploaded as %q, %v", id, name, err)
		}
	}
	return there
}

// explain compares the events of files with the operations, and removes them.
func (u *uploader) explain(t testing.TB, told map[octavo.ID][]octavo.Event) {
	t.Helper()
	must := func(id octavo.ID, least int, kinds ...octavo.EventType) {
		have := told[id]
		good := least <= len(have) && len(have) <= len(kinds)
		for i := 0; good && i < len(have); i++ {
			good = have[i].Type == kinds[i]
		}
		if !good {
			t.Errorf("asset %s: the feed tells %s, want %d at least of %v", id, list(have), least, kinds)
		}
		delete(told, id)
	}
	for id := range u.answered {
		must(id, 1, octavo.AssetCreated)
	}
	for id := range u.extra {
		must(id, 1, octavo.AssetCreated)
	}
	for id := range u.gone {
		must(id, 2, octavo.AssetCreated, octavo.AssetDeleted)
	}
	for id := range u.leaving {
		must(id, 1, octavo.AssetCreated, octavo.AssetDeleted)
	}
}
