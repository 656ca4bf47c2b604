package httpapi_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/client"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/octavotest"
)

// noise gives bytes without order, as compressed files have them, at the cost
// of copying. Files differ by their start.
type noise struct {
	start, block []byte
	n, size      int64
}

func newNoise(name string, size int64) *noise {
	block := make([]byte, min(size, 1<<20))
	_, _ = rand.NewChaCha8([32]byte{}).Read(block) // it never fails
	return &noise{start: []byte(name), block: block, size: size}
}

func (z *noise) Read(p []byte) (int, error) {
	if z.n == z.size {
		return 0, io.EOF
	}
	p = p[:min(int64(len(p)), z.size-z.n)]
	n := copy(p, z.block[z.n%int64(len(z.block)):])
	if z.n < int64(len(z.start)) {
		n = copy(p, z.start[z.n:])
	}
	z.n += int64(n)
	return n, nil
}

func (z *noise) Seek(offset int64, whence int) (int64, error) {
	if whence == io.SeekEnd {
		offset += z.size
	}
	z.n = offset
	return offset, nil
}

func uploader(b *testing.B, s *octavotest.Server) *client.Client {
	b.Helper()
	c, err := client.New(s.URL, client.WithToken(s.Token(b, auth.Grant{Scopes: octavo.ScopeWrite, TTL: time.Hour})))
	if err != nil {
		b.Fatal(err)
	}
	return c
}

// BenchmarkUpload uploads files over HTTP, and compares with the time that this
// machine takes to hash as many bytes and to write and flush them: "ofBare" is
// that time divided by ours.
func BenchmarkUpload(b *testing.B) {
	for _, c := range []struct {
		files int // at once
		size  int64
	}{{1, 1 << 30}, {50, 10 << 20}, {1, 1 << 10}, {50, 1 << 10}} {
		b.Run(fmt.Sprintf("%dx%dKiB", c.files, c.size>>10), func(b *testing.B) {
			s, dir := startWithFiles(b, octavotest.Options{MaxUpload: 2 << 30})
			up := uploader(b, s)
			b.SetBytes(c.size * int64(c.files))
			writeBare := func(n int) error { return bareWrite(filepath.Join(dir, fmt.Sprintf("bare%d", n)), c.size) }
			each(b, c.files, writeBare) // the blocks of a disk that nobody wrote yet are slow, once
			var bare time.Duration
			for i := 0; b.Loop(); i++ {
				b.StopTimer()
				bare += each(b, c.files, writeBare)
				b.StartTimer()
				each(b, c.files, func(n int) error {
					_, err := up.Upload(b.Context(), client.Upload{Name: "a", Content: newNoise(fmt.Sprint("file ", i, " ", n), c.size)})
					return err
				})
			}
			b.ReportMetric(bare.Seconds()/b.Elapsed().Seconds(), "ofBare")
		})
	}
}

// each runs n calls at once and returns how long they took.
func each(b *testing.B, n int, call func(int) error) time.Duration {
	b.Helper()
	start := time.Now()
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() {
			if err := call(i); err != nil {
				b.Error(err)
			}
		})
	}
	group.Wait()
	return time.Since(start)
}

func bareWrite(name string, size int64) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	defer os.Remove(name)
	defer file.Close()
	sum := sha256.New()
	buf := make([]byte, 256<<10)
	for left := size; left > 0; left -= int64(len(buf)) {
		buf = buf[:min(left, int64(len(buf)))]
		sum.Write(buf)
		if _, err := file.Write(buf); err != nil {
			return err
		}
	}
	return file.Sync()
}

// BenchmarkDownload reads files over HTTP, and the same from http.ServeContent:
// "ofServeContent" is the time of the latter divided by ours.
func BenchmarkDownload(b *testing.B) {
	for _, size := range []int64{1 << 30, 10 << 20, 10 << 10} {
		b.Run(fmt.Sprintf("%dKiB", size>>10), func(b *testing.B) {
			s, dir := startWithFiles(b, octavotest.Options{MaxUpload: 2 << 30})
			asset, err := uploader(b, s).Upload(b.Context(), client.Upload{Name: "a.bin", Content: newNoise("x", size)})
			if err != nil {
				b.Fatal(err)
			}
			found, err := filepath.Glob(filepath.Join(dir, "??", "*"))
			if err != nil || len(found) != 1 {
				b.Fatalf("have %v, %v", found, err)
			}
			bare := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				file, err := os.Open(found[0])
				if err != nil {
					b.Error(err)
					return
				}
				defer file.Close()
				w.Header().Set("Content-Type", "application/octet-stream")
				http.ServeContent(w, r, "", time.Time{}, file)
			}))
			defer bare.Close()
			var other time.Duration
			b.SetBytes(size)
			for b.Loop() {
				b.StopTimer()
				start := time.Now()
				download(b, bare.URL, size)
				other += time.Since(start)
				b.StartTimer()
				download(b, asset.URL, size)
			}
			b.ReportMetric(other.Seconds()/b.Elapsed().Seconds(), "ofServeContent")
		})
	}
}

func download(b *testing.B, url string, want int64) {
	b.Helper()
	resp, err := http.Get(url)
	if err != nil {
		b.Fatal(err)
	}
	defer resp.Body.Close()
	if n, err := io.Copy(io.Discard, resp.Body); n != want || err != nil {
		b.Fatalf("have %d bytes, %v; want %d", n, err, want)
	}
}

// BenchmarkListAssets reads slices of a list at its start and far behind.
func BenchmarkListAssets(b *testing.B) {
	s, _ := startWithFiles(b, octavotest.Options{})
	up := uploader(b, s)
	const n = 2000
	each(b, 8, func(worker int) error {
		for i := range n / 8 {
			if _, err := up.Upload(b.Context(), client.Upload{Name: "a.txt", Content: bytes.NewReader([]byte(strings.Repeat("x", worker*n+i+1)))}); err != nil {
				return err
			}
		}
		return nil
	})
	for _, skip := range []int{0, n - 200} {
		b.Run(fmt.Sprintf("behind%d", skip), func(b *testing.B) {
			q := client.AssetQuery{Limit: 100}
			for at := 0; at < skip; at += 100 {
				slice, err := up.ListAssets(b.Context(), q)
				if err != nil {
					b.Fatal(err)
				}
				q.Cursor = slice.Pagination.Cursor
			}
			for b.Loop() {
				if slice, err := up.ListAssets(b.Context(), q); err != nil || len(slice.Data) != 100 {
					b.Fatalf("have %d, %v", len(slice.Data), err)
				}
			}
		})
	}
}
