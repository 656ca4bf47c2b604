package font

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	gofont "github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
)

// Folder returns the fonts in a folder, in order of their names, to be asked
// for characters that others do not have. Of a collection it takes the face
// that is made for a language, a tag of BCP 47: Japanese, Korean and the two
// ways of writing Chinese draw the same characters differently.
func Folder(dir, lang string) ([]Source, error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("folder of fonts: %w", err)
	}
	var all []Source
	for _, file := range files {
		name := filepath.Join(dir, file.Name())
		read := func() ([]byte, error) { return os.ReadFile(name) }
		switch strings.ToLower(filepath.Ext(name)) {
		case ".ttf", ".otf", ".woff":
			all = append(all, Source{Name: file.Name(), Bytes: read})
		case ".ttc", ".otc":
			data, err := read()
			if err != nil {
				return nil, fmt.Errorf("collection of fonts: %w", err)
			}
			loaders, err := opentype.NewLoaders(bytes.NewReader(data))
			if err != nil {
				return nil, fmt.Errorf("collection of fonts %s: %w", file.Name(), err)
			}
			families := make([]string, len(loaders))
			for i, l := range loaders {
				description, _ := gofont.Describe(l, nil)
				families[i] = description.Family
			}
			all = append(all, Source{Name: file.Name(), Face: faceFor(families, lang), Bytes: read})
		}
	}
	return all, nil
}

// faceFor returns which of the faces of a collection is made for a language, by
// the end of its family's name.
func faceFor(families []string, lang string) int {
	end := region(strings.ToLower(lang))
	for i, family := range families {
		if end != "" && strings.HasSuffix(family, " "+end) {
			return i
		}
	}
	return 0
}

// region returns how families of fonts name the way of writing of a language.
func region(lang string) string {
	is := func(tags ...string) bool {
		for _, tag := range tags {
			if lang == tag || strings.HasPrefix(lang, tag+"-") {
				return true
			}
		}
		return false
	}
	switch {
	case is("ja"):
		return "JP"
	case is("ko"):
		return "KR"
	case is("zh-hk", "zh-hant-hk", "zh-mo", "yue"):
		return "HK"
	case is("zh-tw", "zh-hant"):
		return "TC"
	case is("zh"):
		return "SC"
	}
	return ""
}
