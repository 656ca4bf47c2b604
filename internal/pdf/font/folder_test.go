package font

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/image/font/gofont/goregular"
)

func TestFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, data := range map[string][]byte{"b.TTF": goregular.TTF, "a.ttf": goregular.TTF, "LICENSE": nil} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	sources, err := Folder(dir, "en")
	if err != nil || len(sources) != 2 || sources[0].Name != "a.ttf" || sources[1].Name != "b.TTF" {
		t.Fatalf("have %v, %v, want a.ttf and b.TTF", sources, err)
	}
	set := NewSet(Sources{Fallbacks: sources})
	if f := set.face(sources[0]); f == nil || !f.has('a') {
		t.Errorf("a.ttf: have %v, %v", f, set.Err())
	}
	if _, err := Folder(filepath.Join(dir, "none"), "en"); err == nil {
		t.Error("a folder that is not there: have no error")
	}
}

func TestFaceFor(t *testing.T) {
	t.Parallel()
	families := []string{"Noto Sans CJK JP", "Noto Sans CJK KR", "Noto Sans CJK SC", "Noto Sans CJK TC", "Noto Sans CJK HK"}
	for lang, want := range map[string]int{
		"": 0, "en": 0, "ja": 0, "ja-JP": 0, "ko": 1, "zh": 2, "zh-CN": 2, "zh-Hans": 2, "zh-TW": 3, "zh-Hant": 3, "zh-HK": 4, "zh-Hant-HK": 4, "yue": 4,
	} {
		if have := faceFor(families, lang); have != want {
			t.Errorf("faceFor(%s): have %d, want %d", lang, have, want)
		}
	}
}
