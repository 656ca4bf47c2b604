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
	for _, h := range headers {
		text := h.Comment
		h.Comment = ""
		w, err := z.CreateHeader(&h)
		if err == nil {
			_, err = io.WriteString(w, text)
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
		zip.FileHeader{Name: "/etc/x", Comment: "o"}, zip.FileHeader{Name: "top/../../y", Comment: "o"}, link, zip.FileHeader{Name: "__MACOSX/._a", Comment: "m"},
		zip.FileHeader{Name: "./top//d.md", Comment: "d"}, zip.FileHeader{Name: "top/x/../z.md", Comment: "o"})
	fsys, lost, err := OpenZip(bytes.NewReader(source), int64(len(source)), MaxZip)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"a.md": "a", "b/c.md": "c", "über.md": "u", "d.md": "d"} {
		if have, err := fs.ReadFile(fsys, name); err != nil || string(have) != want {
			t.Errorf("%s: have %q, %v, want %q", name, have, err, want)
		}
	}
	if len(lost) != 7 {
		t.Errorf("have %d files left out, want 7: %v", len(lost), lost)
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
	// Two entries of the directory mean one file, and one means a file in another.
	kernel := packed(t, zip.FileHeader{Name: "a", Comment: strings.Repeat("k", 100)}, zip.FileHeader{Name: "b", Comment: strings.Repeat("l", 100)})
	second := bytes.LastIndex(kernel, []byte("PK\x01\x02"))
	same := bytes.Clone(kernel)
	copy(same[second+42:], []byte{0, 0, 0, 0})
	within := packed(t, zip.FileHeader{Name: "a", Comment: string(kernel[:second/2])}, zip.FileHeader{Name: "b", Comment: strings.Repeat("l", 100)})
	at = bytes.LastIndex(within, []byte("PK\x01\x02"))
	copy(within[at+42:], []byte{byte(bytes.Index(within[4:], []byte("PK\x03\x04")) + 4), 0, 0, 0})
	for name, source := range map[string][]byte{"many": packed(t, many...), "huge": huge, "lying": lying, "the same": same, "within": within} {
		if _, _, err := OpenZip(bytes.NewReader(source), int64(len(source)), MaxZip); !errors.Is(err, ErrUnsafe) {
			t.Errorf("%s: have %v, want %v", name, err, ErrUnsafe)
		}
	}
	if _, _, err := OpenZip(strings.NewReader("no zip"), 6, MaxZip); err == nil {
		t.Error("no zip: want an error")
	}
}

// TestOpenZipInZip reads exports in several parts.
func TestOpenZipInZip(t *testing.T) {
	t.Parallel()
	inner := func(name, inside, text string) zip.FileHeader {
		return zip.FileHeader{Name: name, Comment: string(packed(t, zip.FileHeader{Name: inside, Comment: text}))}
	}
	huge := packed(t, zip.FileHeader{Name: "bomb", Comment: "x"})
	copy(huge[bytes.LastIndex(huge, []byte("PK\x01\x02"))+24:], []byte{0xff, 0xff, 0xff, 0x7f})
	deep := string(packed(t, inner("d.zip", "e.md", "e")))
	for name, c := range map[string]struct {
		files []zip.FileHeader
		want  map[string]string // nil where it is not safe
	}{
		"parts":         {[]zip.FileHeader{inner("Part-1.zip", "top/a.md", "a"), inner("Part-2.ZIP", "top/b.md", "b"), {Name: "__MACOSX/._Part-1.zip", Comment: "m"}}, map[string]string{"a.md": "a", "b.md": "b"}},
		"the same path": {[]zip.FileHeader{inner("1.zip", "a.md", "first"), inner("2.zip", "a.md", "second")}, map[string]string{"a.md": "first"}},
		"beside files":  {[]zip.FileHeader{inner("x/in.zip", "a.md", "a"), {Name: "x/b.md", Comment: "b"}}, map[string]string{"b.md": "b"}},
		"three deep":    {[]zip.FileHeader{{Name: "c.zip", Comment: deep}}, map[string]string{"d.zip": string(packed(t, zip.FileHeader{Name: "e.md", Comment: "e"}))}},
		"a bomb in it":  {[]zip.FileHeader{{Name: "c.zip", Comment: string(huge)}}, nil},
	} {
		source := packed(t, c.files...)
		fsys, _, err := OpenZip(bytes.NewReader(source), int64(len(source)), MaxZip)
		if c.want == nil {
			if !errors.Is(err, ErrUnsafe) {
				t.Errorf("%s: have %v, want %v", name, err, ErrUnsafe)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for file, want := range c.want {
			if have, err := fs.ReadFile(fsys, file); err != nil || string(have) != want {
				t.Errorf("%s: %s: have %q, %v, want %q", name, file, have, err, want)
			}
		}
	}
}

func TestOpenZipAtMost(t *testing.T) {
	t.Parallel()
	source := packed(t, zip.FileHeader{Name: "a.md", Comment: strings.Repeat("a", 5000), Method: zip.Deflate})
	for most, want := range map[int64]error{int64(len(source)) - 1: ErrUnsafe, 1249: ErrUnsafe, 1250: nil} { // four times that
		if _, _, err := OpenZip(bytes.NewReader(source), int64(len(source)), most); !errors.Is(err, want) {
			t.Errorf("%d bytes of at most %d: have %v, want %v", len(source), most, err, want)
		}
	}
}

// The only folder of a zip is a collection of Outline, and keeps its name.
func TestOpenZipOfCollection(t *testing.T) {
	t.Parallel()
	source := packed(t, zip.FileHeader{Name: "Garden/Bed.md", Comment: "# Bed\n"},
		zip.FileHeader{Name: "Garden/uploads/0a1b2c3d-0000-4000-8000-000000000001/0a1b2c3d-0000-4000-8000-000000000002/a.png", Comment: "PNG"})
	fsys, _, err := OpenZip(bytes.NewReader(source), int64(len(source)), MaxZip)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := Open(fsys, Auto)
	if err != nil || tree == nil || tree.Name != "Garden" {
		t.Fatalf("have %+v, %v", tree, err)
	}
	if _, err := fs.ReadFile(tree, "garden/bed.md"); err != nil {
		t.Error(err)
	}
}
