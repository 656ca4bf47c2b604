package main

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"github.com/octavo-docs/octavo/internal/app"
	"github.com/octavo-docs/octavo/internal/assets"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/storage"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/testenv"
)

// The archives in testdata/upgrade are data that the program of commit 11b1739
// made, the last one before files had an identifier of their own: three pages of
// which two were changed, three assets and one that was deleted, an export, a
// person and a key. That of a bucket has its objects in the folder bucket.
// want.json is what that program answered.

// answers are what the program before answered.
type answers struct {
	Token, Key, Export, Public string
	Pages, Assets              map[string]string
	At                         time.Time
}

// before is data of the program before.
type before struct {
	t      *testing.T
	data   string
	bucket string // "" where the files lie in the data folder
	want   answers
}

// unpackBefore unpacks an archive, and puts the objects of a bucket into an empty
// one.
func unpackBefore(t *testing.T, name string) *before {
	t.Helper()
	b := &before{t: t, data: t.TempDir()}
	file, err := os.Open(filepath.Join("testdata", "upgrade", name+".tar.gz"))
	b.must(err)
	defer file.Close()
	plain, err := gzip.NewReader(file)
	b.must(err)
	var root blob.Store
	if name == "bucket" {
		b.bucket = testenv.S3(t)
		root, err = blob.OpenS3(t.Context(), b.bucket)
		b.must(err)
		defer root.Close()
	}
	for archive := tar.NewReader(plain); ; {
		entry, err := archive.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		b.must(err)
		path := filepath.Join(b.data, filepath.FromSlash(entry.Name))
		key, object := strings.CutPrefix(entry.Name, "bucket/")
		switch {
		case entry.Typeflag == tar.TypeDir && !object:
			b.must(os.MkdirAll(path, 0o700))
		case entry.Typeflag == tar.TypeDir:
		case object:
			in := root
			if mark, owned := strings.CutPrefix(key, "owner/"); owned {
				key = mark
				in, err = root.Apart("owner")
				b.must(err)
			}
			b.must(in.Put(t.Context(), key, archive))
		default:
			content, err := io.ReadAll(archive)
			b.must(err)
			b.must(os.WriteFile(path, content, 0o600))
		}
	}
	text, err := os.ReadFile(filepath.Join(b.data, "want.json"))
	b.must(err)
	b.must(json.Unmarshal(text, &b.want))
	return b
}

func (b *before) must(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

func (b *before) storage() []string {
	args := []string{"--data", b.data}
	if b.bucket != "" {
		args = append(args, "--blob-url", b.bucket)
	}
	return args
}

// now is a time at which what expires has not expired yet.
func (b *before) now() time.Time { return b.want.At.Add(time.Hour) }

// get reads what a server has at a path.
func (b *before) get(url string, header ...string) string {
	b.t.Helper()
	req, err := http.NewRequestWithContext(b.t.Context(), http.MethodGet, url, nil)
	b.must(err)
	req.Header.Set(header[0], header[1])
	res, err := http.DefaultClient.Do(req)
	b.must(err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	b.must(err)
	if res.StatusCode != http.StatusOK {
		b.t.Errorf("GET %s: have %s, %s", url, res.Status, body)
	}
	return string(body)
}

// check compares what a server answers with what the one before did.
func (b *before) check(url string) {
	b.t.Helper()
	token := []string{"Authorization", "Bearer " + b.want.Token}
	for path, want := range b.want.Pages {
		for _, credential := range [][]string{token, {"X-API-Key", b.want.Key}} {
			if have := b.get(url+path, credential...); have != want {
				b.t.Errorf("%s: have %s, want %s", path, have, want)
			}
		}
	}
	for id, want := range b.want.Assets {
		var asset struct{ URL string }
		b.must(json.Unmarshal([]byte(b.get(url+"/v1/assets/"+id, token...)), &asset))
		sum := sha256.Sum256([]byte(b.get(strings.Replace(asset.URL, b.want.Public, url, 1), token...)))
		if have := hex.EncodeToString(sum[:]); have != want {
			b.t.Errorf("asset %s: have bytes with the sum %s, want %s", id, have, want)
		}
	}
	if export := b.get(url+"/v1/exports/"+b.want.Export, token...); !strings.Contains(export, `"status":"ready"`) {
		b.t.Errorf("the export: have %s", export)
	}
}

// open opens the store and the folder or bucket of files.
func (b *before) open() (*store.Store, assets.Files) {
	b.t.Helper()
	env := app.Env{Now: b.now, Random: rand.Reader}
	st, err := store.OpenSQLite(b.t.Context(), filepath.Join(b.data, storage.DatabaseFile), app.StoreOptions(env, env.IDs(), ""))
	b.must(err)
	files := assets.Files{Assets: st.Assets, Location: assets.Beside, Random: rand.Reader, Now: time.Now}
	if b.bucket != "" {
		files.Location = blob.S3Name(b.bucket)
		files.Root, err = blob.OpenS3(b.t.Context(), b.bucket)
	} else {
		files.Root, err = blob.OpenFolder(filepath.Join(b.data, storage.FilesFolder))
	}
	b.must(err)
	return st, files
}

// whole checks that all files which the database names are there as they were.
func (b *before) whole(st *store.Store, blobs blob.Store) {
	b.t.Helper()
	n := 0
	look := func(key string, size int64, sum string) {
		n++
		if wrong, err := blob.Compare(b.t.Context(), blobs, key, size, sum); err != nil || wrong != "" {
			b.t.Errorf("file %s %s, %v", key, wrong, err)
		}
	}
	for f, err := range st.Assets.Blobs(b.t.Context()) {
		b.must(err)
		look(f.Key, f.Size, f.SHA256)
	}
	exported, err := st.Assets.JobFiles(b.t.Context())
	b.must(err)
	for _, f := range exported {
		look(f.Key, f.Size, f.SHA256)
	}
	if n != 4 {
		b.t.Errorf("have %d files, want 4", n)
	}
}

// TestUpgrade: an installation of the version before is served after its files
// were brought under their identifier, and nothing of it is lost or removed.
func TestUpgrade(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"folder", "bucket"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := unpackBefore(t, name)
			if b.bucket != "" {
				b.fails("the files of this database are at s3://octavo-test?prefix=docs, not at s3://", append([]string{"migrate"}, b.storage()...)...)
				b.succeeds(append([]string{"migrate", "--files-moved"}, b.storage()...)...)
			}
			for range 2 {
				url, stop := b.serve()
				b.check(url)
				stop()
			}
			b.healthy()
			st, files := b.open()
			defer st.Close()
			blobs, err := files.Keep(t.Context())
			b.must(err)
			defer blobs.Close()
			late := func() time.Time { return time.Now().Add(1000 * time.Hour) }
			if n, err := assets.New(assets.Options{DB: st.DB, Assets: st.Assets, Blobs: blobs, Now: late}).Sweep(t.Context()); n != 0 || err != nil {
				t.Errorf("a sweep has removed %d files, %v", n, err)
			}
			b.whole(st, blobs)
			for info, err := range files.Root.All(t.Context()) {
				t.Errorf("%s lies where it lay before, %v", info.Key, err)
			}
			marks, err := files.Root.Apart("owner")
			b.must(err)
			for mark, err := range marks.All(t.Context()) {
				t.Errorf("the mark %s is left, %v", mark.Key, err)
			}
		})
	}
}

// TestUpgradeBesideServer: no command brings the schema up to date while a server
// of the version before runs on the folder, which could not start again.
func TestUpgradeBesideServer(t *testing.T) {
	t.Parallel()
	b := unpackBefore(t, "folder")
	release, err := storage.LockFolder(b.data) // as a server does
	b.must(err)
	create := []string{"keys", "create", "--data", b.data, "--name", "a", "--scopes", "pages:read"}
	for _, args := range [][]string{{"migrate", "--data", b.data}, create, {"tokens", "issue", "--data", b.data, "--scopes", "pages:read"}} {
		b.fails("is in use by a running octavo", args...)
	}
	release()
	options := store.Options{NoMigrate: true}
	if _, err := store.OpenSQLite(t.Context(), filepath.Join(b.data, storage.DatabaseFile), options); !errors.Is(err, store.ErrOlder) {
		t.Fatalf("have %v, want the schema as it was", err)
	}
	b.succeeds(create...)
	again := unpackBefore(t, "folder") // import holds the lock itself
	again.succeeds("import", "--data", again.data, t.TempDir())
}

// serve starts a server at the time of the data.
func (b *before) serve() (url string, stop func()) {
	b.t.Helper()
	ctx, cancel := context.WithCancel(b.t.Context())
	lines, stderr := io.Pipe()
	begun, done := time.Now(), make(chan error, 1)
	p := &program{
		ctx: ctx, stdin: strings.NewReader(""), stdout: io.Discard, stderr: stderr, random: rand.Reader,
		now: func() time.Time { return b.now().Add(time.Since(begun)) },
	}
	command := b.parse("serve", "--addr", "127.0.0.1:0", "--ops-addr=", "--public-url", b.want.Public)
	go func() {
		err := command.Run(p)
		done <- errors.Join(err, stderr.CloseWithError(err))
	}()
	listening := make(chan string, 1)
	go func() {
		said := &strings.Builder{}
		buffer := make([]byte, 4096)
		for found := false; ; {
			n, err := lines.Read(buffer)
			said.Write(buffer[:n])
			if _, after, ok := strings.Cut(said.String(), "octavo: listening on "); ok && !found && strings.Contains(after, "\n") {
				found = true
				listening <- strings.Fields(after)[0]
			}
			if err != nil {
				return
			}
		}
	}()
	select {
	case url = <-listening:
	case err := <-done:
		b.t.Fatalf("octavo serve: %v", err)
	}
	return url, func() {
		cancel()
		b.must(<-done)
	}
}

// parse returns a command on the data.
func (b *before) parse(args ...string) *kong.Context {
	b.t.Helper()
	parser, err := kong.New(&commands{}, grammar()...)
	b.must(err)
	command, err := parser.Parse(append(args, b.storage()...))
	b.must(err)
	return command
}

// healthy checks that doctor finds nothing at the time of the data, when no event
// has waited for long.
func (b *before) healthy() {
	b.t.Helper()
	said := &strings.Builder{}
	if err := b.parse("doctor").Run(&program{ctx: b.t.Context(), stdout: said, stderr: said, now: b.now, random: rand.Reader}); err != nil {
		b.t.Errorf("octavo doctor: %v, %s", err, said)
	}
}

func (b *before) succeeds(args ...string) {
	b.t.Helper()
	said := &strings.Builder{}
	if code := Run(b.t.Context(), args, strings.NewReader(""), said, said); code != exitDone {
		b.t.Fatalf("octavo %v: have %d, %s", args, code, said)
	}
}

func (b *before) fails(why string, args ...string) {
	b.t.Helper()
	said := &strings.Builder{}
	if code := Run(b.t.Context(), args, strings.NewReader(""), said, said); code != exitFailed || !strings.Contains(said.String(), why) {
		b.t.Errorf("octavo %v: have %d, %s; want it to say %q", args, code, said, why)
	}
}
