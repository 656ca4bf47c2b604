package font

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/image/font/gofont/gomono"
)

// TestFolder checks that characters which no font of the program has are set with
// one of a folder, and that what is no font there harms nothing.
func TestFolder(t *testing.T) {
	t.Parallel()
	thai, err := builtin("NotoSansThai-Regular.ttf").Bytes()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "below"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"below/thai.TTF": thai, "broken.ttf": thai[:2000], "none.ttf": []byte("x"), "mono.ttf": gomono.TTF, "a.txt": nil} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	mono := Source{Name: "mono", Bytes: func() ([]byte, error) { return gomono.TTF, nil }}
	sources := Sources{Folder: NewFolder(dir)}
	for i := range sources.Styles {
		sources.Styles[i] = mono
	}
	set := NewSet(sources)
	for _, text := range []string{"ก", "กำ"} {
		if f := set.chooseFor([]rune(text), Bold); f == nil || !strings.HasSuffix(f.source, "thai.TTF") {
			t.Errorf("%s: have %v", text, f)
		}
	}
	if len(set.Missing()) > 0 || len(set.Faults()) > 0 || set.Err() != nil {
		t.Errorf("have %q, %v, %v", string(set.Missing()), set.Faults(), set.Err())
	}
	set.Choose('ક', 0)
	if string(set.Missing()) != "ક" {
		t.Errorf("have %q missing, want ક", string(set.Missing()))
	}
	for _, dir := range []string{filepath.Join(dir, "nowhere"), t.TempDir()} {
		sources.Folder = NewFolder(dir)
		set := NewSet(sources)
		if set.Choose('ก', 0); len(set.Faults()) != 1 || set.Err() != nil {
			t.Errorf("%s: have %v, %v", dir, set.Faults(), set.Err())
		}
	}
	if NewFolder("").With('ก') != nil || NewFolder("").Err() != nil {
		t.Error("no folder: have something")
	}
}

// TestFolderOrder checks that upright fonts of the usual weight come first.
func TestFolderOrder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, from := range map[string]string{"a.ttf": "NotoSans-Bold.ttf", "b.ttf": "NotoSans-Italic.ttf", "c.ttf": "NotoSans-Regular.ttf"} {
		data, err := builtin(from).Bytes()
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var have []string
	for _, s := range NewFolder(dir).With('a', '\u200d') {
		have = append(have, filepath.Base(s.Name))
	}
	if strings.Join(have, " ") != "c.ttf a.ttf b.ttf" {
		t.Errorf("have %v", have)
	}
}
