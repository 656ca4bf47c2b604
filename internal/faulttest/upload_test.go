package faulttest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/testenv"
)

// filler returns a number of bytes that start with a name, followed by zeros.
type filler struct {
	name string
	at   int64
	size int64
}

func (f *filler) Read(p []byte) (int, error) {
	if f.at == f.size {
		return 0, io.EOF
	}
	n := int(min(int64(len(p)), f.size-f.at))
	clear(p[:n])
	if f.at < int64(len(f.name)) {
		copy(p[:n], f.name[f.at:])
	}
	f.at += int64(n)
	return n, nil
}

// upload sends a file of that size, once.
func (a *api) upload(ctx context.Context, name string, size int64) (answer, octavo.Asset, error) {
	const head = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"f.bin\"\r\n\r\n"
	const tail = "\r\n--b--\r\n"
	body := io.MultiReader(strings.NewReader(head), &filler{name: name, size: size}, strings.NewReader(tail))
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, a.url+"/v1/assets", struct{ io.Reader }{body})
	if err != nil {
		return answer{}, octavo.Asset{}, err
	}
	r.ContentLength = int64(len(head)) + size + int64(len(tail))
	r.Header.Set("Authorization", "Bearer "+a.token)
	r.Header.Set("Content-Type", "multipart/form-data; boundary=b")
	res, err := a.http.Do(r)
	if err != nil {
		return answer{}, octavo.Asset{}, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	got := answer{res.StatusCode, res.Header, text}
	var asset octavo.Asset
	if err == nil && res.StatusCode == http.StatusAccepted {
		err = json.Unmarshal(text, &asset)
	}
	return got, asset, err
}

// length reads an asset and returns how many bytes it has.
func length(ctx context.Context, asset octavo.Asset) (int64, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, asset.URL, nil)
	if err != nil {
		return 0, err
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return 0, errors.New(res.Status)
	}
	return io.Copy(io.Discard, res.Body)
}

// A server killed during uploads has every confirmed file. Parts of others are removed
// after the grace period.
func TestKilledUploads(t *testing.T) {
	t.Parallel()
	in := onSQLite(t)
	files := filepath.Join(in.storage[1], "files")
	a := newAPI(t, "", in.token(t))
	s, answered := killUploads(t, in, a, func() { age(t, files) })
	// Deleting all leaves nothing, once what was interrupted is swept.
	for id := range answered {
		if res, err := newAPI(t, s.url, a.token).do(t.Context(), call{method: http.MethodDelete, path: "/assets/" + string(id)}); err != nil || res.status != http.StatusNoContent {
			t.Fatalf("delete: %s, %v", res, err)
		}
	}
	s.stop(t)
	age(t, files)
	s = in.serve(t)
	until(t, "wait until what was interrupted is swept", func() error {
		rows, err := newAPI(t, s.url, a.token).do(t.Context(), call{method: http.MethodGet, path: "/assets?limit=100"})
		if err != nil {
			return err
		}
		return sameNumber(files, strings.Count(string(rows.body), `"id":`))
	})
	s.stop(t)
}

// The same with files in a bucket.
func TestKilledUploadsToABucket(t *testing.T) {
	t.Parallel()
	in := onSQLite(t)
	address := testenv.S3(t)
	in.storage = append(in.storage, "--blob-url", address)
	s, answered := killUploads(t, in, newAPI(t, "", in.token(t)), func() {})
	s.stop(t)
	bucket, err := blob.OpenS3(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer bucket.Close()
	unfinished, err := bucket.Sweep(t.Context(), time.Now().Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	if again, err := bucket.Sweep(t.Context(), time.Now().Add(time.Hour)); again != 0 || err != nil {
		t.Errorf("have %d unfinished uploads after a sweep, %v", again, err)
	}
	in.doctor(t)
	t.Logf("%d uploads were unfinished, beside %d files", unfinished, len(answered))
}

// killUploads kills the server several times during uploads, and checks that each
// confirmed file is complete. It returns the last server and these files.
func killUploads(t *testing.T, in *installation, a *api, down func()) (*server, map[octavo.ID]octavo.Asset) {
	moments := chance(1<<16 - 2)
	var mu sync.Mutex
	answered := map[octavo.ID]octavo.Asset{}
	s := in.serve(t)
	for round := range *rounds {
		a.url = s.url
		var count atomic.Int64
		var group sync.WaitGroup
		for w := range 6 {
			group.Go(func() {
				for i := 0; ; i++ {
					res, asset, err := a.upload(t.Context(), fmt.Sprint(round, w, i), int64(1)<<(10+2*w))
					if err != nil {
						return // the server is gone
					}
					if res.status != http.StatusAccepted {
						t.Errorf("have %s", res)
						return
					}
					mu.Lock()
					answered[asset.ID] = asset
					mu.Unlock()
					count.Add(1)
				}
			})
		}
		target := 5 + moments.Int64N(40)
		until(t, "wait for uploads", func() error {
			if count.Load() < target {
				return errNotYet("too few files were uploaded")
			}
			return nil
		})
		s.kill()
		group.Wait()
		down()
		s = in.serve(t)
		in.doctor(t)
	}
	for id, asset := range answered {
		res, err := newAPI(t, s.url, a.token).do(t.Context(), call{method: http.MethodGet, path: "/assets/" + string(id)})
		if err == nil {
			err = json.Unmarshal(res.body, &asset) // the port is another
		}
		if err != nil {
			t.Fatal(err)
		}
		if n, err := length(t.Context(), asset); n != asset.Size || err != nil {
			t.Errorf("%s: have %d bytes, %v; want %d", id, n, err, asset.Size)
		}
	}
	t.Logf("%d files were uploaded in %d rounds", len(answered), *rounds)
	return s, answered
}

// age makes all files older than the time of grace.
func age(t *testing.T, dir string) {
	t.Helper()
	old := time.Now().Add(-48 * time.Hour)
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		return os.Chtimes(name, old, old)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// sameNumber returns nil if there are that many files, including unfinished ones. Uploads
// whose response was lost may have created assets.
func sameNumber(dir string, want int) error {
	have := 0
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			have++
		}
		return err
	})
	if err == nil && have != want {
		err = fmt.Errorf("have %d files, want %d", have, want)
	}
	return err
}

// A large upload needs hardly more memory than a small one.
func TestMemoryOfAnUpload(t *testing.T) {
	const more = 24 << 20 // bytes; a part for a bucket is 5 MiB, and garbage as long as nobody collects it
	size := int64(256 << 20)
	if *wait {
		size = 1 << 30
	}
	onBlobStores(t, func(t *testing.T, _ *installation, s *server, a *api) {
		if res, _, err := a.upload(t.Context(), "small", 1<<20); err != nil || res.status != http.StatusAccepted {
			t.Fatalf("upload: have %s, %v", res, err)
		}
		before := s.peak(t)
		res, asset, err := a.upload(t.Context(), "large", size)
		if err != nil || res.status != http.StatusAccepted || asset.Size != size {
			t.Errorf("upload: have %s, %v", res, err)
		} else if n, err := length(t.Context(), asset); n != size || err != nil {
			t.Errorf("download: have %d bytes, %v", n, err)
		}
		most := s.peak(t)
		if most > before+more {
			t.Errorf("the server had %d MB resident at most, %d before, want no more than %d in addition", most>>20, before>>20, more>>20)
		}
		t.Logf("%d MiB with at most %d MiB resident, %d before", size>>20, most>>20, before>>20)
	}, "--max-upload", "2GiB")
}

// An upload without space gets 507 and leaves nothing.
func TestUploadToAFullDisk(t *testing.T) {
	t.Parallel()
	disk := testenv.SmallDisk(t, 24<<20)
	in := &installation{[]string{"--data", disk.Path}, disk.Command}
	s := in.serve(t)
	a := newAPI(t, s.url, in.token(t))
	for range 3 {
		res, _, err := a.upload(t.Context(), "too large", 40<<20)
		if err == nil {
			err = res.refusal(octavo.StorageFull)
		}
		if err != nil {
			t.Error(err)
		}
	}
	if res, asset, err := a.upload(t.Context(), "fits", 8<<20); err != nil || res.status != http.StatusAccepted || asset.Size != 8<<20 {
		t.Errorf("an upload that fits: have %s, %v", res, err)
	}
	if err := sameNumber(disk.File("files"), 1); err != nil {
		t.Error(err)
	}
	in.doctor(t)
	s.stop(t)
}

// While the bucket is down, uploads and downloads get retryable errors and pages are
// served. Afterwards the same process continues.
func TestBucketGoesAway(t *testing.T) {
	t.Parallel()
	address, err := url.Parse(testenv.S3(t))
	if err != nil {
		t.Fatal(err)
	}
	p := newProxy(t, address.Host, chance(1<<16-3))
	address.Host = p.address
	in := onSQLite(t)
	in.storage = append(in.storage, "--blob-url", address.String())
	s := in.serve(t)
	a := newAPI(t, s.url, in.token(t))
	_, before, err := a.upload(t.Context(), "before", 7<<20)
	if err != nil || before.ID == "" {
		t.Fatalf("have %+v, %v", before, err)
	}
	if err := p.l.Close(); err != nil {
		t.Fatal(err)
	}
	p.closeAll()
	for _, size := range []int64{100, 7 << 20} {
		res, _, err := a.upload(t.Context(), "away", size)
		if err == nil {
			err = res.refusal(octavo.Unavailable)
		}
		if err != nil {
			t.Errorf("an upload of %d bytes: %v", size, err)
		}
	}
	if n, err := length(t.Context(), before); err == nil || !strings.HasPrefix(err.Error(), "503") {
		t.Errorf("a download: have %d bytes, %v; want 503", n, err)
	}
	if err := health(t.Context(), a); err != nil {
		t.Error(err)
	}
	if p.l, err = p.listenAgain(); err != nil {
		t.Fatal(err)
	}
	p.group.Go(p.accept)
	until(t, "wait until uploads work again", func() error {
		res, _, err := a.upload(t.Context(), "after", 7<<20)
		if err == nil && res.status != http.StatusAccepted {
			err = errors.New(res.String())
		}
		return err
	})
	if n, err := length(t.Context(), before); n != 7<<20 || err != nil {
		t.Errorf("a download afterwards: have %d bytes, %v", n, err)
	}
	in.doctor(t)
	s.stop(t)
}

// A slow bucket only delays requests for files. With -wait it does not respond at all, and
// requests time out.
func TestSlowBucket(t *testing.T) {
	t.Parallel()
	address, err := url.Parse(testenv.S3(t))
	if err != nil {
		t.Fatal(err)
	}
	p := newProxy(t, address.Host, chance(1<<16-4))
	address.Host = p.address
	in := onSQLite(t)
	in.storage = append(in.storage, "--blob-url", address.String())
	s := in.serve(t)
	a := newAPI(t, s.url, in.token(t))
	other := newBystander(t, a)
	type outcome struct {
		answer
		err error
	}
	done := make(chan outcome, 1)
	var slowest time.Duration
	p.hold(func() {
		go func() {
			res, _, err := a.upload(t.Context(), "slow", 100)
			done <- outcome{res, err}
		}()
		slowest = bystand(t, other)
		if *wait {
			got := <-done
			if got.err == nil {
				got.err = got.refusal(octavo.Unavailable)
			}
			if got.err != nil {
				t.Errorf("an upload to a bucket that does not answer: %v", got.err)
			}
			done <- outcome{answer: answer{status: http.StatusAccepted}}
		}
	})
	if got := <-done; got.err != nil || got.status != http.StatusAccepted {
		t.Errorf("an upload to a slow bucket: have %s, %v; want 202", got, got.err)
	}
	s.stop(t)
	t.Logf("slowest of other requests %s", slowest)
}
