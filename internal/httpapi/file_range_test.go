package httpapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/assets"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// countedStore counts how often a file is read from another place, each of
// which is a request where the files lie in a bucket.
type countedStore struct {
	blob.Store
	seeks atomic.Int64
}

func (c *countedStore) Open(ctx context.Context, key string) (blob.File, error) {
	f, err := c.Store.Open(ctx, key)
	return &countedFile{f, c}, err
}

type countedFile struct {
	blob.File
	c *countedStore
}

func (f *countedFile) Seek(offset int64, whence int) (int64, error) {
	f.c.seeks.Add(1)
	return f.File.Seek(offset, whence)
}

// upload uploads text and returns the path of its bytes.
func upload(t testing.TB, s *octavotest.Server, text string) (path string) {
	t.Helper()
	up, err := s.Assets.Receive(t.Context(), strings.NewReader(text), "a.txt", "")
	if err != nil {
		t.Fatal(err)
	}
	asset, err := s.Assets.Create(t.Context(), sqldb.Cause{}, up, assets.Description{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimPrefix(asset.URL, s.URL)
}

// TestRangesOfAFile asks for parts of a file in all ways.
func TestRangesOfAFile(t *testing.T) {
	t.Parallel()
	folder, err := blob.OpenFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	counted := &countedStore{Store: folder}
	s := octavotest.Start(t, octavotest.Options{Blobs: counted})
	const size = 100_000
	text := strings.Repeat("0123456789", size/10)
	path := upload(t, s, text)
	head, _ := send(t, s, http.MethodHead, path, "")
	tag, modified := head.Header.Get("ETag"), head.Header.Get("Last-Modified")
	many := func(n, each int) string { // ranges of that many bytes each, with a byte between
		ranges := make([]string, n)
		for i := range ranges {
			ranges[i] = fmt.Sprintf("%d-%d", i*(each+1), i*(each+1)+each-1)
		}
		return "bytes=" + strings.Join(ranges, ",")
	}
	whole := []string{text}
	for _, c := range []struct {
		name, ranges, condition string
		status                  int
		want                    []string // the parts, or the whole
	}{
		{"first byte", "bytes=0-0", "", 206, []string{"0"}},
		{"last byte", "bytes=-1", "", 206, []string{"9"}},
		{"more than there is from the end", "bytes=-1000000", "", 206, whole},
		{"no byte from the end", "bytes=-0", "", 416, nil},
		{"no byte from the end, and others", "bytes=0-1, -00", "", 206, []string{"01"}},
		{"no byte from the end, with a sign", "bytes=-+0", "", 416, nil},
		{"no byte from the end, with a space", "bytes=- 0", "", 416, nil},
		{"beyond the end", "bytes=99999-1000000", "", 206, []string{"9"}},
		{"behind the end", "bytes=100000-", "", 416, nil},
		{"far behind the end", "bytes=9223372036854775807-", "", 416, nil},
		{"a number too large", "bytes=9223372036854775808-", "", 416, nil},
		{"backwards", "bytes=5-3", "", 416, nil},
		{"no number", "bytes=a-b", "", 416, nil},
		{"another unit", "lines=1-2", "", 200, whole},
		{"two", "bytes=0-1,10-12", "", 206, []string{"01", "012"}},
		{"two that overlap", "bytes=0-5,3-8", "", 206, []string{"012345", "345678"}},
		{"one of two that is not there", "bytes=0-1,100000-", "", 206, []string{"01"}},
		{"more bytes than the file has", "bytes=0-99999,0-99999", "", 200, whole},
		{"twenty", many(20, 1), "", 206, strings.Split("02468024680246802468", "")},
		{"twenty-one", many(21, 1), "", 200, whole},
		{"as many as a header can hold", many(3000, 2), "", 200, whole},
		{"empty ones", "bytes=" + strings.Repeat(",", 5000) + "0-1", "", 200, whole},
		{"of this file", "bytes=0-1", tag, 206, []string{"01"}},
		{"of a weak tag", "bytes=0-1", "W/" + tag, 200, whole},
		{"of another file", "bytes=0-1", `"other"`, 200, whole},
		{"of this time", "bytes=0-1", modified, 206, []string{"01"}},
		{"of another time", "bytes=0-1", "Mon, 01 Jan 2001 00:00:00 GMT", 200, whole},
	} {
		t.Run(c.name, func(t *testing.T) {
			counted.seeks.Store(0)
			resp, body := send(t, s, http.MethodGet, path, "", "Range", c.ranges, "If-Range", c.condition)
			if resp.StatusCode != c.status {
				t.Fatalf("have %s, want %d", resp.Status, c.status)
			}
			if n := counted.seeks.Load(); n > 50 {
				t.Errorf("the file was read from %d places", n)
			}
			if c.want == nil {
				if have := resp.Header.Get("Content-Type"); have != "application/problem+json" || !strings.Contains(body, "/problems/range-not-satisfiable") {
					t.Errorf("have %s, %s", have, body)
				}
				return
			}
			if have := parts(t, resp, body); strings.Join(have, "|") != strings.Join(c.want, "|") {
				t.Errorf("have %d parts, %.100q; want %d, %.100q", len(have), have, len(c.want), c.want)
			}
			if have := resp.Header.Get("ETag"); have != tag {
				t.Errorf("have the tag %s, want %s", have, tag)
			}
		})
	}
}

// parts returns what an answer holds, piece by piece.
func parts(t *testing.T, resp *http.Response, body string) (list []string) {
	t.Helper()
	kind, params, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	if kind != "multipart/byteranges" {
		return []string{body}
	}
	r := multipart.NewReader(strings.NewReader(body), params["boundary"])
	for {
		part, err := r.NextPart()
		if err == io.EOF { //nolint:errorlint // as package multipart returns it
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(part)
		if err != nil || !strings.HasPrefix(part.Header.Get("Content-Range"), "bytes ") {
			t.Fatalf("have %v, %v", part.Header, err)
		}
		list = append(list, string(text))
	}
}

// TestRefusedReadsNotCached: what answers a condition or a range that does not
// hold says nothing of the file, and no cache may give it to others.
func TestRefusedReadsNotCached(t *testing.T) {
	t.Parallel()
	s, _ := startWithFiles(t, octavotest.Options{})
	path := upload(t, s, "text")
	for _, c := range []struct {
		name, value string
		status      int
		want        string // of Cache-Control
	}{
		{"If-Match", `"other"`, http.StatusPreconditionFailed, "no-store"},
		{"If-Unmodified-Since", "Mon, 01 Jan 2001 00:00:00 GMT", http.StatusPreconditionFailed, "no-store"},
		{"If-None-Match", "*", http.StatusNotModified, "public, max-age=31536000, immutable"},
	} {
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			resp, _ := send(t, s, method, path, "", c.name, c.value)
			if have := resp.Header.Get("Cache-Control"); resp.StatusCode != c.status || have != c.want {
				t.Errorf("%s %s: %s: have %s with Cache-Control %q, want %d with %q", method, c.name, c.value, resp.Status, have, c.status, c.want)
			}
		}
	}
	if resp, _ := send(t, s, http.MethodGet, path, "", "Range", "bytes=9-"); resp.StatusCode != http.StatusRequestedRangeNotSatisfiable || resp.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("a range that is not there: have %s %v", resp.Status, resp.Header)
	}
	resp, body := send(t, s, http.MethodGet, path[:len(path)-1], "")
	var problem octavo.Problem
	if err := json.Unmarshal([]byte(body), &problem); err != nil || resp.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("another name: have %s %v %s", resp.Status, resp.Header, body)
	}
}

// TestRangesOnlyForGET: any other method tells of the whole (RFC 9110 section
// 14.2).
func TestRangesOnlyForGET(t *testing.T) {
	t.Parallel()
	s, _ := startWithFiles(t, octavotest.Options{})
	path := upload(t, s, "some text")
	for _, ranges := range []string{"bytes=0-1", "bytes=-1", "bytes=0-0,2-2", "bytes=9-", "bytes=5-3"} {
		resp, body := send(t, s, http.MethodHead, path, "", "Range", ranges)
		if resp.StatusCode != http.StatusOK || resp.ContentLength != 9 || resp.Header.Get("Content-Range") != "" || body != "" {
			t.Errorf("%s: have %s, %d bytes, %v; want 200 and 9", ranges, resp.Status, resp.ContentLength, resp.Header)
		}
	}
}

// TestConditionsInSeveralLines: a list of entity tags is the same list when it
// comes in several lines (RFC 9110 section 5.3).
func TestConditionsInSeveralLines(t *testing.T) {
	t.Parallel()
	s, _ := startWithFiles(t, octavotest.Options{})
	path := upload(t, s, "text")
	head, _ := send(t, s, http.MethodHead, path, "")
	tag := head.Header.Get("ETag")
	for _, c := range []struct {
		name  string
		lines []string
		want  int
	}{
		{"If-Match", []string{`"other"`, tag}, http.StatusOK},
		{"If-Match", []string{`"other", "another"`, `"third"`}, http.StatusPreconditionFailed},
		{"If-None-Match", []string{`"other"`, tag}, http.StatusNotModified},
		{"If-None-Match", []string{`"other"`, `"another"`}, http.StatusOK},
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+path, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		req.Header[c.name] = c.lines
		resp, err := http.DefaultTransport.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != c.want {
			t.Errorf("%s: %v: have %s, want %d", c.name, c.lines, resp.Status, c.want)
		}
	}
}

// TestAssetTags: the entity tag of an asset follows its version and, where
// addresses end, its address.
func TestAssetTags(t *testing.T) {
	t.Parallel()
	var moved atomic.Int64
	s := octavotest.Start(t, octavotest.Options{AssetLifetime: time.Hour, Now: func() time.Time { return time.Now().Add(time.Duration(moved.Load())) }})
	bearer := "Bearer " + s.Token(t, auth.Grant{Scopes: octavo.ScopeWrite, TTL: 24 * time.Hour})
	resp, body := send(t, s, http.MethodPost, "/v1/assets", part("file", "", "x")+formEnd, "Authorization", bearer, "Content-Type", "multipart/form-data; boundary=b")
	var asset octavo.Asset
	if err := json.Unmarshal([]byte(body), &asset); err != nil {
		t.Fatal(err)
	}
	tag := resp.Header.Get("ETag")
	read := func(want int) {
		t.Helper()
		resp, _ := send(t, s, http.MethodGet, "/v1/assets/"+string(asset.ID), "", "Authorization", bearer, "If-None-Match", tag)
		if resp.StatusCode != want {
			t.Errorf("have %s, want %d", resp.Status, want)
		}
		tag = resp.Header.Get("ETag")
	}
	read(http.StatusNotModified)
	moved.Add(int64(time.Hour))
	read(http.StatusOK) // the address is another
	read(http.StatusNotModified)
	resp, _ = send(t, s, http.MethodPatch, "/v1/assets/"+string(asset.ID), `{"alt":"a"}`, "Authorization", bearer, "Content-Type", "application/json", "If-Match", tag)
	if resp.StatusCode != http.StatusOK || resp.Header.Get("ETag") == tag {
		t.Errorf("have %s %s, want 200 with another tag than %s", resp.Status, resp.Header.Get("ETag"), tag)
	}
	read(http.StatusOK)
}
