package assets_test

import (
	"crypto/rand"
	"errors"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/internal/assets"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/testenv"
)

// bucket opens an empty bucket.
func bucket(t *testing.T) blob.Store {
	t.Helper()
	b, err := blob.OpenS3(t.Context(), testenv.S3(t))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// beside is the place of files in the data folder.
func (i installation) beside(blobs blob.Store) assets.Place {
	return assets.Place{Store: i.st, Blobs: blobs, Installation: i.id, Where: "the folder", Beside: true}
}

func claim(t *testing.T, p assets.Place) {
	t.Helper()
	if err := p.Claim(t.Context(), rand.Reader); err != nil {
		t.Fatal(err)
	}
}

// copyAll copies what is in a place into another one, with its marks or without.
func copyAll(t *testing.T, from, to blob.Store, marks bool) {
	t.Helper()
	for info, err := range from.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		file, err := from.Open(t.Context(), info.Key)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(to.Put(t.Context(), info.Key, file), file.Close()); err != nil {
			t.Fatal(err)
		}
	}
	if marks {
		copyAll(t, apart(t, from), apart(t, to), false)
	}
}

func apart(t *testing.T, blobs blob.Store) blob.Store {
	t.Helper()
	marks, err := blobs.Apart(assets.OwnerName)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := marks.Close(); err != nil {
			t.Error(err)
		}
	})
	return marks
}

// TestFilesStayInTheirBucket: a server that was started with a bucket, and then
// without, or with another, would find none of its files and put new ones where
// the first one does not.
func TestFilesStayInTheirBucket(t *testing.T) {
	t.Parallel()
	f := newFixture(t, bucket(t), nil)
	in := installation{newInstallation(t).id, f.st}
	there := in.at(f.blobs)
	there.Where = "the bucket s3://docs"
	claim(t, there)
	f.upload(t, "text")
	data := folder(t)
	wantRefused(t, in.beside(data).Claim(t.Context(), rand.Reader), "are in the bucket s3://docs", "1 of 1 are not here", "--blob-url")
	wantRefused(t, in.claim(t.Context(), bucket(t)), "are in the bucket s3://docs")
	findings, err := in.beside(data).Check(t.Context())
	if err != nil || len(findings) != 1 || findings[0].Subject != "the files of this database are in the bucket s3://docs" {
		t.Errorf("findings in the folder: %v, %v", findings, err)
	}
	claim(t, there)
	if findings, err := there.Check(t.Context()); err != nil || len(findings) > 0 {
		t.Errorf("findings in the bucket: %v, %v", findings, err)
	}
}

// TestFilesStayInTheirFolder is the same for a data folder, also when all that
// was in it was copied into the bucket once.
func TestFilesStayInTheirFolder(t *testing.T) {
	t.Parallel()
	f := newFixture(t, folder(t), nil)
	in := installation{newInstallation(t).id, f.st}
	f.upload(t, "from before there were places") // an old data folder
	claim(t, in.beside(f.blobs))
	claim(t, in.beside(f.blobs))
	b := bucket(t)
	copyAll(t, f.blobs, b, false)
	f.upload(t, "later")
	wantRefused(t, in.claim(t.Context(), b), "are in the folder", "1 of 2 are not here")
	for range apart(t, b).All(t.Context()) {
		t.Error("a refused process has left a mark")
	}
	other := in.beside(folder(t)) // as where a disk is not mounted
	wantRefused(t, other.Claim(t.Context(), rand.Reader), "none of them is there", "mount the disk")
	for info := range f.blobs.All(t.Context()) { // what is there is all that is left
		if err := other.Blobs.Put(t.Context(), info.Key, strings.NewReader("")); err != nil {
			t.Fatal(err)
		}
		break
	}
	claim(t, other)
}

// TestFolderOfAnother: a data folder whose database was replaced by that of
// another installation keeps its files, which that one does not know.
func TestFolderOfAnother(t *testing.T) {
	t.Parallel()
	f := newFixture(t, folder(t), nil)
	ours, theirs := installation{newInstallation(t).id, f.st}, newInstallation(t)
	own := theirs.beside(folder(t)) // theirs is not new
	own.Where = "the folder elsewhere"
	claim(t, own)
	for _, marked := range []bool{false, true} {
		if marked {
			claim(t, ours.beside(f.blobs))
		}
		f.upload(t, "text")
		words := []string{"does not know"}
		if marked {
			words = []string{"another installation", string(ours.id)}
		}
		wantRefused(t, theirs.beside(f.blobs).Claim(t.Context(), rand.Reader), words...)
		findings, err := theirs.beside(f.blobs).Check(t.Context())
		if err != nil || len(findings) != 1 || findings[0].Rule != "files lie in a place of this installation alone" {
			t.Errorf("marked %v: findings of the other: %v, %v", marked, findings, err)
		}
		if findings, err := ours.beside(f.blobs).Check(t.Context()); err != nil || len(findings) > 0 {
			t.Errorf("marked %v: findings of the owner: %v, %v", marked, findings, err)
		}
	}
}

// TestNothingToLose: as long as there are no files, they may lie elsewhere.
func TestNothingToLose(t *testing.T) {
	t.Parallel()
	in := newInstallation(t)
	first, second, data := bucket(t), folder(t), folder(t)
	for range 2 {
		claim(t, in.at(first))
		claim(t, in.beside(data))
		claim(t, in.at(second))
	}
	foreign := bucket(t)
	f := newFixture(t, foreign, nil)
	f.upload(t, "somebody else's")
	wantRefused(t, in.claim(t.Context(), foreign), "does not know")
}

// TestMovedFiles: files that were moved are found where they are now, with their
// mark or, when all are there, without, and nowhere else from then on.
func TestMovedFiles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		from, to func(*testing.T) blob.Store
		beside   bool // the new place is a data folder
		marks    bool
	}{
		{"bucket, with marks", bucket, bucket, false, true},
		{"bucket, without", bucket, bucket, false, false},
		{"folder to bucket", folder, bucket, false, false},
		{"bucket to data folder, with marks", bucket, folder, true, true},
		{"bucket to data folder, without", bucket, folder, true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t, c.from(t), nil)
			in := installation{newInstallation(t).id, f.st}
			claim(t, in.at(f.blobs))
			f.upload(t, "one")
			f.upload(t, "two")
			new := in.at(c.to(t))
			new.Beside = c.beside
			copyAll(t, f.blobs, new.Blobs, c.marks)
			claim(t, new)
			claim(t, new)
			// What comes to the new place is not in the old one.
			up, err := assets.New(assets.Options{Store: f.st, Blobs: new.Blobs, Random: rand.Reader, Now: f.now}).
				Receive(t.Context(), strings.NewReader("three"), "a.txt", "")
			if err == nil {
				_, err = f.Create(t.Context(), store.Cause{}, up, assets.Description{}, nil)
			}
			if err != nil {
				t.Fatal(err)
			}
			wantRefused(t, in.claim(t.Context(), f.blobs), "1 of 3 are not here")
		})
	}
}

// TestLostFiles: the mark alone says that there are no other files.
func TestLostFiles(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, blobs blob.Store) {
		f := newFixture(t, blobs, nil)
		in := installation{newInstallation(t).id, f.st}
		claim(t, in.at(blobs))
		f.upload(t, "lost")
		empty := folder(t)
		err := in.claim(t.Context(), empty)
		named, _, _ := f.st.FilesPlace(t.Context())
		wantRefused(t, err, "when that is lost for good, the mark "+named.Mark)
		if err := apart(t, empty).Put(t.Context(), named.Mark, strings.NewReader("")); err != nil {
			t.Fatal(err)
		}
		claim(t, in.at(empty))
	})
}

// TestNoMark: what lies among the marks and is none is not taken for one.
func TestNoMark(t *testing.T) {
	t.Parallel()
	place := folder(t)
	if err := apart(t, place).Put(t.Context(), "shortname1", strings.NewReader("")); err != nil {
		t.Fatal(err)
	}
	wantRefused(t, newInstallation(t).claim(t.Context(), place), "shortname1 under owner/ is not the mark")
}

// TestForeignFilesAmongOurs: where files were copied to without their marks, those
// of others are not removed.
func TestForeignFilesAmongOurs(t *testing.T) {
	t.Parallel()
	f, shared := newFixture(t, folder(t), nil), folder(t)
	in := installation{newInstallation(t).id, f.st}
	claim(t, in.at(f.blobs))
	f.upload(t, "ours")
	newFixture(t, shared, nil).upload(t, "somebody else's")
	copyAll(t, f.blobs, shared, false)
	wantRefused(t, in.claim(t.Context(), shared), "does not know")
	f.upload(t, "more of ours") // so that the other may have been removed since it was copied
	for info, err := range f.blobs.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if err := shared.Remove(t.Context(), info.Key); err != nil {
			t.Fatal(err)
		}
	}
	copyAll(t, f.blobs, shared, false)
	claim(t, in.at(shared))
}

// TestForeignFilesWithTheMark: the mark tells that they are copied.
func TestForeignFilesWithTheMark(t *testing.T) {
	t.Parallel()
	f, shared := newFixture(t, folder(t), nil), folder(t)
	in := installation{newInstallation(t).id, f.st}
	claim(t, in.at(f.blobs))
	newFixture(t, shared, nil).upload(t, "removed since it was copied")
	wantRefused(t, in.claim(t.Context(), shared), "does not know")
	copyAll(t, apart(t, f.blobs), apart(t, shared), false)
	claim(t, in.at(shared))
}

// TestCopyForgetsThePlace: what was restored from a backup is where its files
// were put, but not where none of them is.
func TestCopyForgetsThePlace(t *testing.T) {
	t.Parallel()
	f := newFixture(t, bucket(t), nil)
	in := installation{newInstallation(t).id, f.st}
	claim(t, in.at(f.blobs))
	f.upload(t, "text")
	f.upload(t, "lost before the backup")
	if err := f.st.ForgetFilesPlace(t.Context()); err != nil { // as in a backup
		t.Fatal(err)
	}
	wantRefused(t, in.beside(folder(t)).Claim(t.Context(), rand.Reader), "none of them is there")
	restored := folder(t)
	copyAll(t, f.blobs, restored, false)
	for info := range restored.All(t.Context()) {
		if err := restored.Remove(t.Context(), info.Key); err != nil {
			t.Fatal(err)
		}
		break
	}
	claim(t, in.beside(restored))
}
