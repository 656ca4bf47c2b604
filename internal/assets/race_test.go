package assets_test

import (
	"context"
	"errors"
	"io"
	"iter"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/assets"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/doctor"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// listed is a blob store that lets something happen once all was listed.
type listed struct {
	blob.Store
	then func()
}

func (l *listed) All(ctx context.Context) iter.Seq2[blob.Info, error] {
	return func(yield func(blob.Info, error) bool) {
		for info, err := range l.Store.All(ctx) {
			if !yield(info, err) {
				return
			}
		}
		if then := l.then; then != nil {
			l.then = nil
			then()
		}
	}
}

// TestCheckWhileAssetsComeAndGo: doctor works beside a running server, and what
// is uploaded or deleted while it looks is no finding.
func TestCheckWhileAssetsComeAndGo(t *testing.T) {
	t.Parallel()
	blobs := &listed{Store: folder(t)}
	f := newFixture(t, blobs, nil)
	old := f.upload(t, "old")
	for name, then := range map[string]func(){
		"an upload": func() { f.upload(t, "new") },
		"a deletion": func() {
			if err := f.Delete(t.Context(), sqldb.Cause{}, writer, old.ID, false, nil); err != nil {
				t.Error(err)
			}
		},
	} {
		blobs.then = then
		if findings, err := doctor.CheckAssets(t.Context(), f.st, blobs, false); err != nil || len(findings) > 0 {
			t.Errorf("%s meanwhile: have %v, %v; want nothing", name, findings, err)
		}
	}
}

// dated is a blob store that dates bytes by the start of their upload, as S3
// does with those that come in parts.
type dated struct {
	blob.Store
	f     *fixture
	begun map[string]time.Time
}

func (d *dated) Put(ctx context.Context, key string, r io.Reader) error {
	d.begun[key] = d.f.now()
	return d.Store.Put(ctx, key, r)
}

func (d *dated) All(ctx context.Context) iter.Seq2[blob.Info, error] {
	return func(yield func(blob.Info, error) bool) {
		for info, err := range d.Store.All(ctx) {
			info.Modified = d.begun[info.Key]
			if !yield(info, err) {
				return
			}
		}
	}
}

// slow takes some time to be read to its end.
type slow struct {
	io.Reader
	f    *fixture
	took time.Duration
}

func (s *slow) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	if err == io.EOF && s.took > 0 {
		s.f.move(s.took)
		s.took = 0
	}
	return n, err
}

// TestLongUploads: a sweep may come between the bytes of an upload and its row.
// The bytes of one that becomes an asset are still there, however they are
// dated.
func TestLongUploads(t *testing.T) {
	t.Parallel()
	for _, took := range []time.Duration{time.Minute, 2 * time.Hour, 11 * time.Hour, 13 * time.Hour, 30 * time.Hour} {
		t.Run(took.String(), func(t *testing.T) {
			blobs := &dated{Store: folder(t), begun: map[string]time.Time{}}
			f := newFixture(t, blobs, nil)
			blobs.f = f
			// The head of a file is read before its bytes are put.
			content := io.MultiReader(strings.NewReader(strings.Repeat("x", 200_000)), &slow{strings.NewReader("end"), f, took})
			up, err := f.Receive(t.Context(), content, "", "")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := f.Sweep(t.Context()); err != nil {
				t.Fatal(err)
			}
			asset, err := f.Create(t.Context(), sqldb.Cause{}, up, assets.Description{}, nil)
			var refused *octavo.Error
			switch {
			case errors.As(err, &refused) && refused.Type == octavo.Unavailable && took > 12*time.Hour:
				f.wantBlobs(t, 0)
			case err != nil:
				t.Errorf("have %v", err)
			default:
				if have := f.read(t, asset); len(have) != 200_003 {
					t.Errorf("have %d bytes, want 200003", len(have))
				}
			}
		})
	}
}
