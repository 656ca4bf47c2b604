package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/internal/storage"
	"github.com/octavo-docs/octavo/internal/testenv"
)

// TestBackupWithABucket: a backup, or an export, is made of the files where the
// database has them and of nothing else, and is brought back into the same bucket,
// or into a folder.
func TestBackupWithABucket(t *testing.T) {
	t.Parallel()
	dir, bucket := t.TempDir(), testenv.S3(t)
	in := func(name string) string { return filepath.Join(dir, name) }
	if err := os.Mkdir(in("tree"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(in("tree/logo.svg"), []byte("<svg/>"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		code int
		want string // of what is said on standard error
	}{
		{[]string{"import", "--data", in("d"), "--blob-url", bucket, in("tree")}, exitDone, "1 created"},
		{[]string{"backup", "--data", in("d"), in("b.tar")}, exitFailed, "the files of this database are at s3://"},
		{[]string{"backup", "--data", in("d"), "--blob-url", testenv.S3(t), in("b.tar")}, exitFailed, "the files of this database are at s3://"},
		{[]string{"backup", "--data", in("d"), "--blob-url", bucket, in("b.tar")}, exitDone, ""},
		{[]string{"export", "--data", in("d"), "--format", "markdown", "--out", in("e.zip")}, exitFailed, "the files of this database are at s3://"},
		{[]string{"export", "--data", in("d"), "--blob-url", bucket, "--format", "markdown", "--out", in("e.zip")}, exitDone, ""},
		{[]string{"restore", "--data", in("s"), "--blob-url", bucket, in("b.tar")}, exitDone, ""},
		{[]string{"doctor", "--data", in("s"), "--blob-url", bucket}, exitDone, "nothing is wrong"},
		{[]string{"restore", "--data", in("r"), in("b.tar")}, exitDone, ""},
		{[]string{"doctor", "--data", in("r")}, exitDone, "nothing is wrong"},
	} {
		out, said := &strings.Builder{}, &strings.Builder{}
		if code := Run(t.Context(), c.args, strings.NewReader(""), out, said); code != c.code || !strings.Contains(said.String(), c.want) {
			t.Errorf("%v: have %d, %q, %q; want %d, %q", c.args, code, out, said, c.code, c.want)
		}
	}
	if names, err := filepath.Glob(in("d/" + storage.FilesFolder)); err != nil || len(names) > 0 {
		t.Errorf("have %v, %v; want no folder of files made", names, err)
	}
}
