package assets_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/assets"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/store/assetstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// interrupted is a folder or bucket in which nothing can be transferred.
type interrupted struct{ blob.Store }

func (interrupted) Transfer(context.Context, string, string, string, bool) error {
	return errors.New("interrupted")
}

// files has the location name files in a folder.
func (f *fixture) files(location string) assets.Files {
	return assets.Files{Assets: f.st.Assets, Root: f.blobs, Location: location, Random: rand.Reader, Now: time.Now}
}

// named returns where the database has its files.
func (f *fixture) named(t *testing.T) assetstore.Files {
	t.Helper()
	have, err := f.st.Assets.Files(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return have
}

// keep has the service keep its files where files says, and returns where that is.
func (f *fixture) keep(t *testing.T, files assets.Files) (named assetstore.Files, kept blob.Store) {
	t.Helper()
	if _, err := files.Keep(t.Context()); err != nil {
		t.Fatal(err)
	}
	named = f.named(t)
	kept, err := f.blobs.Apart(named.ID)
	if err != nil {
		t.Fatal(err)
	}
	f.Service = assets.New(assets.Options{DB: f.st.DB, Assets: f.st.Assets, Blobs: kept, Random: rand.Reader, Now: f.now, FilesID: named.ID})
	return named, kept
}

// TestRestoredTwice: all previous identifiers with files are printed, even after an
// interrupted first attempt.
func TestRestoredTwice(t *testing.T) {
	t.Parallel()
	f := newFixture(t, folder(t), nil)
	files := f.files("/files")
	first, _ := f.keep(t, files)
	f.upload(t, "text")
	wrong := files
	wrong.Root = folder(t)
	if _, _, err := wrong.Restored(t.Context(), false); err == nil || !strings.HasSuffix(err.Error(), "run octavo migrate --restored --files-lost") {
		t.Errorf("none of the files is there: have %v", err)
	}
	broken := files
	broken.Root = interrupted{f.blobs}
	if _, _, err := broken.Restored(t.Context(), false); err == nil {
		t.Fatal("nothing was interrupted")
	}
	second := f.named(t)
	missing, stay, err := files.Restored(t.Context(), false)
	slices.Sort(stay)
	want := []string{first.ID, second.ID}
	slices.Sort(want)
	if err != nil || missing != 0 || !slices.Equal(stay, want) || slices.Contains(want, f.named(t).ID) {
		t.Errorf("have %d missing, %q, %v; want %q", missing, stay, err, want)
	}
}

// TestRestoredWithoutFiles: a database that names no files may come back beside
// another bucket, but not beside a folder where it had a bucket.
func TestRestoredWithoutFiles(t *testing.T) {
	t.Parallel()
	f := newFixture(t, folder(t), nil)
	if _, _, err := f.files("/files").Restored(t.Context(), false); err != nil || f.named(t).Location != "" {
		t.Errorf("it never had any: have %+v, %v", f.named(t), err)
	}
	if _, err := f.files("s3://first").Keep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, _, err := f.files("/files").Restored(t.Context(), false); !errors.Is(err, assets.ErrElsewhere) {
		t.Errorf("a folder: have %v", err)
	}
	if _, _, err := f.files("s3://second").Restored(t.Context(), false); err != nil || f.named(t).Location != "s3://second" {
		t.Errorf("another bucket: have %+v, %v", f.named(t), err)
	}
}

// TestFilesTakenByCopy: two databases of the version before that are copies of
// each other have the same files. The first that is upgraded moves them away, and
// the message to the other says so.
func TestFilesTakenByCopy(t *testing.T) {
	t.Parallel()
	f := newFixture(t, folder(t), nil)
	asset := f.upload(t, "text")
	file, err := f.st.Assets.ByKey(t.Context(), asset.Key)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.st.Assets.SetFiles(t.Context(), f.named(t), assetstore.Files{Old: assetstore.OldRoot, Move: true}); err != nil {
		t.Fatal(err)
	}
	if err := f.blobs.Transfer(t.Context(), file.Blob, "", "copy", true); err != nil {
		t.Fatal(err)
	}
	const want = "was upgraded first"
	if _, err := f.files("/files").Keep(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("have %v, want %q", err, want)
	}
	if err := f.blobs.Put(t.Context(), file.Blob, bytes.NewReader([]byte("text"))); err != nil {
		t.Fatal(err)
	}
	if _, err := f.files("/files").Keep(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestUpgradeLeavesFilesOfOthers: an upgrade removes the search snapshots of the
// version before, and keeps the files of another installation that has the same
// name for its prefix in the bucket.
func TestUpgradeLeavesFilesOfOthers(t *testing.T) {
	t.Parallel()
	f := newFixture(t, folder(t), nil)
	if _, err := f.st.Assets.SetFiles(t.Context(), f.named(t), assetstore.Files{Old: assetstore.OldRoot, Move: true}); err != nil {
		t.Fatal(err)
	}
	search, err := f.blobs.Apart("search")
	if err != nil {
		t.Fatal(err)
	}
	file, snapshot := strings.Repeat("a", 26), "ix"+strings.Repeat("0", 44)
	for _, key := range []string{file, snapshot} {
		if err := search.Put(t.Context(), key, strings.NewReader("text")); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := f.files("/files").Keep(t.Context()); err != nil {
		t.Fatal(err)
	}
	for info, err := range search.All(t.Context()) {
		if err != nil || info.Key != file {
			t.Errorf("have %s, %v, want %s alone", info.Key, err, file)
		}
		file = ""
	}
	if file != "" {
		t.Error("the file of another installation is gone")
	}
}

// TestUploadUnderAFormerIdentifier: a server that does not know that the files have
// another identifier by now takes no uploads, which nobody would find.
func TestUploadUnderAFormerIdentifier(t *testing.T) {
	t.Parallel()
	f := newFixture(t, folder(t), nil)
	if _, err := f.st.Assets.SetFiles(t.Context(), f.named(t), assetstore.Files{ID: "other"}); err != nil {
		t.Fatal(err)
	}
	up, err := f.Receive(t.Context(), strings.NewReader("text"), "a.txt", "text/plain")
	if err != nil {
		t.Fatal(err)
	}
	var refused *octavo.Error
	if _, err := f.Create(t.Context(), sqldb.Cause{}, up, assets.Description{}, nil); !errors.As(err, &refused) || refused.Type != octavo.Unavailable {
		t.Errorf("have %v, want %s", err, octavo.Unavailable)
	}
}

// TestFolderOfOtherInstallation: a folder at the path that the database names is refused
// where another one was there first, as in containers that share none.
func TestFolderOfOtherInstallation(t *testing.T) {
	t.Parallel()
	f := newFixture(t, folder(t), nil)
	for range 2 {
		if _, err := f.files("/files").Keep(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	elsewhere := f.files("/files")
	elsewhere.Root = folder(t)
	const want = "not the one that other processes use"
	if _, err := elsewhere.Keep(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("have %v, want %q", err, want)
	}
	if err := elsewhere.Moved(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	if _, err := elsewhere.Keep(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestFolderSymlink: files are not moved out of a folder that a copy of the data
// folder leads to as well.
func TestFolderSymlink(t *testing.T) {
	t.Parallel()
	f := newFixture(t, folder(t), nil)
	original := f.files(assets.Beside)
	first, kept := f.keep(t, original)
	file, err := f.st.Assets.ByKey(t.Context(), f.upload(t, "text").Key)
	if err != nil {
		t.Fatal(err)
	}
	copied := original
	copied.Shared = true
	if _, stay, err := copied.Restored(t.Context(), false); err != nil || !slices.Equal(stay, []string{first.ID}) {
		t.Fatalf("have %q, %v, want %s to stay", stay, err, first.ID)
	}
	there, err := kept.Open(t.Context(), file.Blob)
	if err != nil {
		t.Fatalf("the file of the original: %v", err)
	}
	there.Close()
}
