package assets_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"iter"
	"log/slog"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/assets"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/doctor"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
	"github.com/octavo-docs/octavo/internal/testenv"
)

// writer may change every asset.
var writer = assets.Asker{ID: "writer", Propose: true, Write: true}

// fixture is a service over real stores, with a clock that is moved by hand.
type fixture struct {
	*assets.Service
	st    *store.Store
	blobs blob.Store
	mu    sync.Mutex
	time  time.Time
}

func (f *fixture) now() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.time
}

func (f *fixture) move(d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.time = f.time.Add(d)
}

// new makes a fixture; change, unless nil, changes the options.
func newFixture(t *testing.T, blobs blob.Store, change func(*assets.Options)) *fixture {
	t.Helper()
	f := &fixture{time: time.Now(), blobs: blobs}
	st, err := store.OpenSQLite(t.Context(), filepath.Join(t.TempDir(), "octavo.db"), store.Options{Now: f.now, IDs: octavo.NewIDSource(f.now, rand.Reader)})
	if err != nil {
		t.Fatal(err)
	}
	f.st = st
	o := assets.Options{DB: st.DB, Assets: st.Assets, Blobs: blobs, Random: rand.Reader, Now: f.now, Log: slog.New(slog.DiscardHandler), PublicURL: "https://docs.example"}
	if change != nil {
		change(&o)
	}
	f.Service = assets.New(o)
	t.Cleanup(func() {
		if err := errors.Join(st.Close(), blobs.Close()); err != nil {
			t.Error(err)
		}
	})
	return f
}

func folder(t *testing.T) blob.Store {
	t.Helper()
	folder, err := blob.OpenFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

// onBoth runs a test on a folder and on a bucket.
func onBoth(t *testing.T, test func(t *testing.T, blobs blob.Store)) {
	t.Run("folder", func(t *testing.T) { test(t, folder(t)) })
	t.Run("s3", func(t *testing.T) {
		bucket, err := blob.OpenS3(t.Context(), testenv.S3(t))
		if err != nil {
			t.Fatal(err)
		}
		test(t, bucket)
	})
}

func (f *fixture) upload(t *testing.T, text string) octavo.Asset {
	t.Helper()
	up, err := f.Receive(t.Context(), strings.NewReader(text), "a.txt", "")
	if err != nil {
		t.Fatal(err)
	}
	asset, err := f.Create(t.Context(), sqldb.Cause{}, up, assets.Description{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return asset
}

func (f *fixture) read(t *testing.T, asset octavo.Asset) string {
	t.Helper()
	file, err := f.Open(t.Context(), asset.Key, asset.Name, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	text, err := io.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// wantBlobs counts what the blob store holds, and looks that nothing is missing.
func (f *fixture) wantBlobs(t *testing.T, want int) {
	t.Helper()
	have := 0
	for _, err := range f.blobs.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		have++
	}
	if have != want {
		t.Errorf("have %d blobs, want %d", have, want)
	}
	if findings, err := doctor.CheckAssets(t.Context(), f.st, f.blobs, false); err != nil || len(findings) > 0 {
		t.Errorf("check: %v, %v", findings, err)
	}
}

func TestEqualBytes(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, blobs blob.Store) {
		f := newFixture(t, blobs, nil)
		a, b := f.upload(t, "same"), f.upload(t, "same")
		c := f.upload(t, "other")
		f.wantBlobs(t, 2)
		if a.URL == b.URL || f.read(t, a) != "same" || f.read(t, b) != "same" || f.read(t, c) != "other" {
			t.Errorf("have %s and %s, want two addresses with their bytes", a.URL, b.URL)
		}
		for i, asset := range []octavo.Asset{a, c, b} {
			if err := f.Delete(t.Context(), sqldb.Cause{}, writer, asset.ID, false, nil); err != nil {
				t.Fatal(err)
			}
			f.wantBlobs(t, []int{2, 1, 0}[i])
		}
	})
}

// TestUploadsMeetRemovals uploads and deletes the same bytes at once, many
// times: an asset that exists can always be read.
func TestUploadsMeetRemovals(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, blobs blob.Store) {
		f := newFixture(t, blobs, nil)
		var group sync.WaitGroup
		for range 6 {
			group.Go(func() {
				for range 12 {
					asset := f.upload(t, "the same bytes")
					if have := f.read(t, asset); have != "the same bytes" {
						t.Errorf("have %q", have)
					}
					if err := f.Delete(t.Context(), sqldb.Cause{}, writer, asset.ID, false, nil); err != nil {
						t.Error(err)
					}
				}
			})
		}
		group.Wait()
		f.wantBlobs(t, 0)
	})
}

func TestSweepOrphans(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, blobs blob.Store) {
		f := newFixture(t, blobs, nil)
		kept := f.upload(t, "kept")
		if _, err := f.Receive(t.Context(), strings.NewReader("forgotten"), "", ""); err != nil {
			t.Fatal(err)
		}
		for _, step := range []struct {
			after   time.Duration
			removed int
		}{{0, 0}, {23 * time.Hour, 0}, {2 * time.Hour, 1}, {0, 0}} {
			f.move(step.after)
			if n, err := f.Sweep(t.Context()); n != step.removed || err != nil {
				t.Errorf("%s later: have %d, %v; want %d", step.after, n, err, step.removed)
			}
		}
		f.wantBlobs(t, 1)
		if have := f.read(t, kept); have != "kept" {
			t.Errorf("have %q", have)
		}
	})
}

// TestUploadAfterWait checks that bytes which may be swept at any
// moment get no row.
func TestUploadAfterWait(t *testing.T) {
	t.Parallel()
	f := newFixture(t, folder(t), nil)
	up, err := f.Receive(t.Context(), strings.NewReader("slow"), "", "")
	if err != nil {
		t.Fatal(err)
	}
	f.move(13 * time.Hour)
	var refused *octavo.Error
	if _, err := f.Create(t.Context(), sqldb.Cause{}, up, assets.Description{}, nil); !errors.As(err, &refused) || refused.Type != octavo.Unavailable {
		t.Errorf("have %v, want %s", err, octavo.Unavailable)
	}
	f.wantBlobs(t, 0)
}

func TestCheckFindsMissingShortAndAlteredBytes(t *testing.T) {
	t.Parallel()
	f := newFixture(t, folder(t), nil)
	asset := f.upload(t, "text")
	file, err := f.st.Assets.ByKey(t.Context(), asset.Key)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.blobs.Remove(t.Context(), file.Blob); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ content, want, quick string }{
		{"", "is missing", "is missing"},
		{"tex", "has 3 bytes, not 4", "has 3 bytes, not 4"},
		{"test", "was altered", ""},
		{"text", "", ""},
	} {
		if c.content != "" {
			if err := f.blobs.Put(t.Context(), file.Blob, strings.NewReader(c.content)); err != nil {
				t.Fatal(err)
			}
		}
		for quick, want := range map[bool]string{false: c.want, true: c.quick} {
			findings, err := doctor.CheckAssets(t.Context(), f.st, f.blobs, quick)
			if err != nil || len(findings) > 1 || (len(findings) == 0) != (want == "") || want != "" && !strings.Contains(findings[0].Subject, want) {
				t.Errorf("%q, quick %t: have %v, %v; want one that %s", c.content, quick, findings, err, want)
			}
		}
		if err := f.blobs.Remove(t.Context(), file.Blob); err != nil {
			t.Fatal(err)
		}
	}
}

func TestExpiringAddresses(t *testing.T) {
	t.Parallel()
	f := newFixture(t, folder(t), func(o *assets.Options) { o.Lifetime, o.Key = time.Hour, []byte("key") })
	asset := f.upload(t, "text")
	u, err := url.Parse(asset.URL)
	if err != nil {
		t.Fatal(err)
	}
	open := func(query url.Values) octavo.ProblemType {
		file, err := f.Open(t.Context(), asset.Key, asset.Name, query, nil)
		var e *octavo.Error
		if errors.As(err, &e) {
			return e.Type
		}
		if err != nil {
			t.Fatal(err)
		}
		file.Close()
		return ""
	}
	later := u.Query()
	later.Set("expires", "99999999999")
	for name, c := range map[string]struct {
		query url.Values
		want  octavo.ProblemType
	}{
		"as given": {u.Query(), ""}, "without": {nil, octavo.Forbidden}, "with another time": {later, octavo.Forbidden},
	} {
		if have := open(c.query); have != c.want {
			t.Errorf("%s: have %q, want %q", name, have, c.want)
		}
	}
	f.move(time.Hour)
	if have := open(u.Query()); have != "" {
		t.Errorf("after the time that it is good at least: have %q", have)
	}
	f.move(time.Hour)
	if have := open(u.Query()); have != octavo.Gone {
		t.Errorf("after its time: have %q, want %q", have, octavo.Gone)
	}
	if again, err := f.Get(t.Context(), writer, asset.ID); err != nil || again.URL == asset.URL {
		t.Errorf("have %s, %v; want a new address", again.URL, err)
	}
}

// failing is a blob store that refuses some of what is asked.
type failing struct {
	blob.Store
	put, remove, open error
}

func (f *failing) Open(ctx context.Context, key string) (blob.File, error) {
	if f.open != nil {
		return nil, f.open
	}
	return f.Store.Open(ctx, key)
}

func (f *failing) Put(ctx context.Context, key string, r io.Reader) error {
	if f.put != nil {
		return f.put
	}
	return f.Store.Put(ctx, key, r)
}

func (f *failing) Remove(ctx context.Context, key string) error {
	if f.remove != nil {
		return f.remove
	}
	return f.Store.Remove(ctx, key)
}

func (f *failing) All(ctx context.Context) iter.Seq2[blob.Info, error] { return f.Store.All(ctx) }

func TestFailingBlobStore(t *testing.T) {
	t.Parallel()
	full := &octavo.Error{Type: octavo.StorageFull}
	blobs := &failing{Store: folder(t), put: full}
	f := newFixture(t, blobs, nil)
	if _, err := f.Receive(t.Context(), bytes.NewReader([]byte("x")), "", ""); !errors.Is(err, full) {
		t.Errorf("have %v, want %v", err, full)
	}
	blobs.put = nil
	asset := f.upload(t, "text")
	// An asset is deleted although its bytes cannot be; they are swept later.
	blobs.remove = errors.New("not now")
	if err := f.Delete(t.Context(), sqldb.Cause{}, writer, asset.ID, false, nil); err != nil {
		t.Fatal(err)
	}
	f.wantBlobs(t, 1)
	blobs.remove = nil
	f.move(25 * time.Hour)
	if n, err := f.Sweep(t.Context()); n != 1 || err != nil {
		t.Errorf("sweep: have %d, %v; want 1", n, err)
	}
	f.wantBlobs(t, 0)
}
