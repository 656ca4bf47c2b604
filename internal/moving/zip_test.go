package moving

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"strings"
	"testing"
)

// packed returns a zip of files with these names.
func packed(t *testing.T, headers ...zip.FileHeader) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := range headers {
		w, err := z.CreateHeader(&headers[i])
		if err == nil {
			_, err = io.WriteString(w, headers[i].Comment)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestOpenZip(t *testing.T) {
	t.Parallel()
	link := zip.FileHeader{Name: "top/link", Comment: "/etc/passwd"}
	link.SetMode(fs.ModeSymlink | 0o777)
	source := packed(t,
		zip.FileHeader{Name: "top/a.md", Comment: "a"}, zip.FileHeader{Name: `top\b\c.md`, Comment: "c"}, zip.FileHeader{Name: "top/\x81ber.md", NonUTF8: true, Comment: "u"},
		zip.FileHeader{Name: "top/a.md", Comment: "twice"}, zip.FileHeader{Name: "top/a.md/x", Comment: "in a file"}, zip.FileHeader{Name: "../out.md", Comment: "o"},
		zip.FileHeader{Name: "/etc/x", Comment: "o"}, zip.FileHeader{Name: "top/../../y", Comment: "o"}, link, zip.FileHeader{Name: "__MACOSX/._a", Comment: "m"})
	fsys, lost, err := OpenZip(bytes.NewReader(source), int64(len(source)), MaxZip)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"a.md": "a", "b/c.md": "c", "über.md": "u"} {
		if have, err := fs.ReadFile(fsys, name); err != nil || string(have) != want {
			t.Errorf("%s: have %q, %v, want %q", name, have, err, want)
		}
	}
	if len(lost) != 6 {
		t.Errorf("have %d files left out, want 6: %v", len(lost), lost)
	}
	file, err := fsys.Open("a.md")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for range 2 {
		end, err := file.(io.Seeker).Seek(0, io.SeekEnd)
		start, err2 := file.(io.Seeker).Seek(0, io.SeekStart)
		text, err3 := io.ReadAll(file)
		if end != 1 || start != 0 || string(text) != "a" || errors.Join(err, err2, err3) != nil {
			t.Errorf("read again: have %d, %d, %q, %v", end, start, text, errors.Join(err, err2, err3))
		}
	}
}

func TestOpenZipUnsafe(t *testing.T) {
	t.Parallel()
	var many []zip.FileHeader
	for i := range MaxFiles + 1 {
		many = append(many, zip.FileHeader{Name: strings.Repeat("x", i%7+1)})
	}
	// The directory at the end says how large a file is.
	grown := packed(t, zip.FileHeader{Name: "bomb", Comment: "x"})
	at := bytes.LastIndex(grown, []byte("PK\x01\x02"))
	huge := bytes.Clone(grown)
	copy(huge[at+24:], []byte{0xff, 0xff, 0xff, 0x7f})
	lying := bytes.Clone(grown)
	copy(lying[at+20:], []byte{0xff, 0xff, 0, 0})
	for name, source := range map[string][]byte{"many": packed(t, many...), "huge": huge, "lying": lying} {
		if _, _, err := OpenZip(bytes.NewReader(source), int64(len(source)), MaxZip); !errors.Is(err, ErrUnsafe) {
			t.Errorf("%s: have %v, want %v", name, err, ErrUnsafe)
		}
	}
	if _, _, err := OpenZip(strings.NewReader("no zip"), 6, MaxZip); err == nil {
		t.Error("no zip: want an error")
	}
}
