package assetapi

import (
	"errors"
	"io"
	"mime/multipart"
	"runtime"
	"strings"
	"testing"
)

// TestPartsTakeLittle: a part that is refused or passed over takes no memory of
// its size, of which an upload takes 576 KiB.
func TestPartsTakeLittle(t *testing.T) {
	for _, name := range []string{"unknown", "source", "file", "metadata"} {
		parts := multipart.NewReader(strings.NewReader("--b\r\nContent-Disposition: form-data; name=\""+name+"\"\r\n\r\n"+strings.Repeat("x", 1<<20)+"\r\n--b--\r\n"), "b")
		part, err := parts.NextRawPart()
		if err != nil {
			t.Fatal(err)
		}
		f := &form{take: func(int) (func(), error) { return func() {}, nil }, seen: map[string]bool{"file": true}}
		content := &io.LimitedReader{R: part, N: 1<<20 + 1}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := f.readPart(part, content, false); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		if content.N != 1 {
			t.Errorf("%s: %d bytes were left, want 1", name, content.N)
		}
		if have, want := after.TotalAlloc-before.TotalAlloc, uint64(3*576<<10); have > want {
			t.Errorf("%s of %d bytes: %d bytes were allocated, want at most %d", name, 1<<20, have, want)
		}
	}
}

// TestMetadataCounts: the metadata of a form takes memory while it is decoded, not
// while the rest arrives, and is refused where there is none.
func TestMetadataCounts(t *testing.T) {
	text, none := `{"altText":"A logo"}`, errors.New("no memory")
	for _, want := range []error{nil, none} {
		took, has := 0, 0
		f := &form{take: func(size int) (func(), error) {
			took, has = size, size
			return func() { has = 0 }, want
		}}
		if err := f.readMetadata("", []byte(text), false); !errors.Is(err, want) || took != len(text) {
			t.Errorf("have %v and %d bytes taken, want %v and %d", err, took, want, len(text))
		}
		if want == nil && has > 0 {
			t.Errorf("%d bytes were not given back", has)
		}
	}
}
