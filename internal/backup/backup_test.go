package backup_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/backup"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/assetstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// place is an installation with a clock that stands still.
type place struct {
	t      *testing.T
	now    time.Time
	st     *store.Store
	files  blob.Store
	assets map[octavo.ID]string // what each holds
}

func options(now func() time.Time) store.Options {
	return store.Options{Now: now, IDs: octavo.NewIDSource(now, rand.Reader)}
}

func newPlace(t *testing.T) *place {
	t.Helper()
	p := &place{t: t, now: time.Now(), assets: map[octavo.ID]string{}}
	var err error
	if p.st, err = store.OpenSQLite(t.Context(), filepath.Join(t.TempDir(), "octavo.db"), options(p.clock)); err != nil {
		t.Fatal(err)
	}
	if p.files, err = blob.OpenFolder(t.TempDir()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(p.st.Close(), p.files.Close()); err != nil {
			t.Error(err)
		}
	})
	return p
}

func (p *place) clock() time.Time { return p.now }

// upload makes an asset of a text.
func (p *place) upload(text string) {
	p.t.Helper()
	b := assetstore.Blob{Key: strings.ToLower(rand.Text()), Hash: sha256.Sum256([]byte(text)), Size: int64(len(text))}
	if err := p.files.Put(p.t.Context(), b.Key, strings.NewReader(text)); err != nil {
		p.t.Fatal(err)
	}
	err := p.st.DB.Write(p.t.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) error {
		asset, _, err := p.st.Assets.Create(tx, assetstore.NewAsset{Blob: b, Key: rand.Text(), Name: "a.txt", ContentType: "text/plain"})
		p.assets[asset.ID] = text
		return err
	})
	if err != nil {
		p.t.Fatal(err)
	}
}

// deleteAll deletes every asset, as the server does.
func (p *place) deleteAll() {
	p.t.Helper()
	held := backup.Held(p.files, p.st, p.clock)
	for id := range p.assets {
		var unused string
		err := p.st.DB.Write(p.t.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) (err error) {
			unused, err = p.st.Assets.Delete(tx, id, true, nil)
			return err
		})
		if err == nil {
			err = held.Remove(p.t.Context(), unused)
		}
		if err != nil {
			p.t.Error(err)
		}
	}
}

func (p *place) source(files blob.Store) backup.Source {
	return backup.Source{Store: p.st, Files: files, Now: p.clock, Program: "test", Opening: options(p.clock)}
}

// opening is a store of files that lets something happen when the first of
// them is opened.
type opening struct {
	blob.Store
	first func()
}

// Open implements blob.Store.
func (o *opening) Open(ctx context.Context, key string) (blob.File, error) {
	if first := o.first; first != nil {
		o.first = nil
		first()
	}
	return o.Store.Open(ctx, key)
}

// restore brings a backup back into a new folder and returns it.
func restore(t *testing.T, path string) (string, error) {
	t.Helper()
	in, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	dir := t.TempDir()
	_, err = backup.Restore(t.Context(), in, backup.Target{Folder: dir, Random: rand.Reader, Opening: options(time.Now)})
	return dir, err
}

// texts returns what the assets of a restored folder hold.
func texts(t *testing.T, dir string) (list []string) {
	t.Helper()
	st, err := store.OpenSQLite(t.Context(), filepath.Join(dir, "octavo.db"), options(time.Now))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	root, err := blob.OpenFolder(filepath.Join(dir, "files"))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	where, err := st.Assets.Files(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	files, err := root.Apart(where.ID)
	if err != nil {
		t.Fatal(err)
	}
	defer files.Close()
	for b, err := range st.Assets.Blobs(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		file, err := files.Open(t.Context(), b.Key)
		if err != nil {
			t.Errorf("the restored database names a file that is not there: %v", err)
			continue
		}
		var text bytes.Buffer
		_, err = text.ReadFrom(file)
		if err = errors.Join(err, file.Close()); err != nil {
			t.Fatal(err)
		}
		list = append(list, text.String())
	}
	slices.Sort(list)
	return list
}

// What is deleted while its files are copied is in the backup all the same,
// since the copy of the database names it.
func TestDeletionsLeaveNoHole(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	for i := range 5 {
		p.upload(fmt.Sprint("file ", i))
	}
	path := filepath.Join(t.TempDir(), "b.tar")
	made, err := backup.Make(t.Context(), p.source(&opening{p.files, p.deleteAll}), path)
	if err != nil || made.Files != 5 || len(made.Missing) != 0 {
		t.Fatalf("have %+v, %v; want 5 files", made, err)
	}
	dir, err := restore(t, path)
	if err != nil {
		t.Fatal(err)
	}
	if have, want := texts(t, dir), []string{"file 0", "file 1", "file 2", "file 3", "file 4"}; !slices.Equal(have, want) {
		t.Errorf("the files: have %q, want %q", have, want)
	}
	if _, err := os.Stat(path + ".partial"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the place that was worked in: have %v, want it gone", err)
	}
}

// A backup that was held up until its hold had ended, and lacks a file for it,
// is no backup.
func TestHoldExpires(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.upload("file")
	path := filepath.Join(t.TempDir(), "b.tar")
	_, err := backup.Make(t.Context(), p.source(&opening{p.files, func() {
		p.now = p.now.Add(time.Hour)
		p.deleteAll()
	}}), path)
	if err == nil || !strings.Contains(err.Error(), "delayed by more than") {
		t.Errorf("have %v, want it to be refused", err)
	}
	if list, err := os.ReadDir(filepath.Dir(path)); err != nil || len(list) > 0 {
		t.Errorf("have %v, %v; want nothing left", list, err)
	}
}

// A hold that is over holds nothing, and one is never shortened.
func TestHold(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.upload("file")
	for _, until := range []time.Duration{10 * time.Minute, time.Minute} {
		if err := p.st.Assets.HoldFiles(t.Context(), p.now.Add(until)); err != nil {
			t.Fatal(err)
		}
	}
	count := func() (n int) {
		for _, err := range p.files.All(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			n++
		}
		return n
	}
	p.now = p.now.Add(5 * time.Minute)
	p.deleteAll()
	if have := count(); have != 1 {
		t.Errorf("within the hold: have %d files, want 1", have)
	}
	p.assets = map[octavo.ID]string{}
	p.upload("another")
	p.now = p.now.Add(time.Hour)
	p.deleteAll()
	if have := count(); have != 1 {
		t.Errorf("behind the hold: have %d files, want that which was held", have)
	}
}

// TestReportAlteredFiles reports files with other bytes than written, like missing ones.
func TestReportAlteredFiles(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.upload("sound")
	p.upload("whole")
	altered := ""
	for b, err := range p.st.Assets.Blobs(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		altered = b.Key
	}
	if err := errors.Join(p.files.Remove(t.Context(), altered), p.files.Put(t.Context(), altered, strings.NewReader("other"))); err != nil {
		t.Fatal(err)
	}
	made, err := backup.Make(t.Context(), p.source(p.files), filepath.Join(t.TempDir(), "b.tar"))
	if err != nil || made.Files != 2 || !slices.Equal(made.Missing, []string{altered}) {
		t.Errorf("have %+v, %v; want 2 files, of which %s is told of", made, err, altered)
	}
}

// Whatever byte of a backup is cut off or changed, it is refused or comes back
// as it was, and a refused one leaves the folder empty.
func TestDamagedBackups(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.upload(strings.Repeat("a", 3000))
	path := filepath.Join(t.TempDir(), "b.tar")
	if _, err := backup.Make(t.Context(), p.source(p.files), path); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	try := func(what string, content []byte, mustFail bool) {
		dir := t.TempDir()
		_, err := backup.Restore(t.Context(), bytes.NewReader(content), backup.Target{Folder: dir, Random: rand.Reader, Opening: options(time.Now)})
		if err == nil {
			if mustFail || !slices.Equal(texts(t, dir), []string{strings.Repeat("a", 3000)}) {
				t.Errorf("%s: it was taken for a backup", what)
			}
			return
		}
		if list, err := os.ReadDir(dir); err != nil || len(list) > 0 {
			t.Errorf("%s: have %v, %v; want nothing left", what, list, err)
		}
	}
	const step = 9973 // a prime: within headers, contents and padding
	for n := 0; n < len(whole)-2*512-8192; n += step {
		try(fmt.Sprint("cut off at ", n), whole[:n], true)
		changed := bytes.Clone(whole)
		changed[n] ^= 0x20
		try(fmt.Sprint("changed at ", n), changed, false)
	}
}
