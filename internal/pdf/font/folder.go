package font

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	gofont "github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/font/opentype/tables"
)

// Folder is a folder of additional fonts, with subfolders, for scripts without a built-in font. It
// is read once, on first use. It is safe for concurrent use.
type Folder struct {
	read func() ([]listed, error)
}

// NewFolder returns a folder, nil for "".
func NewFolder(name string) *Folder {
	if name == "" {
		return nil
	}
	return &Folder{read: sync.OnceValues(func() ([]listed, error) { return list(name) })}
}

type listed struct {
	source Source
	pages  map[int32]*[4]uint64 // its characters, as bit sets per block of 256
	rank   int                  // distance from an upright regular font
}

func (l *listed) has(r rune) bool {
	p := l.pages[r>>8]
	return p != nil && p[r&255>>6]&(1<<(r&63)) != 0
}

// Err returns the errors of reading the folder. Unusable fonts are ignored.
func (f *Folder) Err() error {
	if f == nil {
		return nil
	}
	_, err := f.read()
	return err
}

// With returns the fonts that have all given characters, best first.
func (f *Folder) With(text ...rune) (all []Source) {
	if f == nil {
		return nil
	}
	fonts, _ := f.read() // see Err
	for i := range fonts {
		if !slices.ContainsFunc(text, func(r rune) bool { return !unseen(r) && !fonts[i].has(r) }) {
			all = append(all, fonts[i].source)
		}
	}
	return all
}

// Limits of a folder: files, and bytes per file.
const (
	maxFonts    = 4000
	maxFontFile = 64 << 20
)

// list returns the fonts of a folder with their characters.
func list(folder string) (all []listed, err error) {
	count := 0
	walked := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		switch strings.ToLower(filepath.Ext(path)) {
		case ".ttf", ".otf", ".ttc":
		default:
			return nil
		}
		if count++; count > maxFonts {
			return fmt.Errorf("it has more than %d fonts", maxFonts)
		}
		if l, ok := look(path); ok {
			all = append(all, l)
		}
		return nil
	})
	if walked != nil {
		err = fmt.Errorf("folder of fonts: %w", walked)
	} else if len(all) == 0 {
		err = errors.New("folder of fonts: it has none with TrueType outlines")
	}
	slices.SortFunc(all, func(a, b listed) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), strings.Compare(a.source.Name, b.source.Name))
	})
	return all, err
}

// look reads the characters of a font; ok is false if it is unusable.
func look(path string) (l listed, ok bool) {
	file, err := os.Open(path)
	if err != nil {
		return l, false
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() || info.Size() > maxFontFile {
		return l, false
	}
	loaders, err := opentype.NewLoaders(file)
	if err != nil || len(loaders) == 0 || !loaders[0].HasTable(opentype.MustNewTag("glyf")) {
		return l, false
	}
	raw, err := loaders[0].RawTable(opentype.MustNewTag("cmap"))
	if err != nil {
		return l, false
	}
	table, _, err := tables.ParseCmap(raw)
	if err != nil {
		return l, false
	}
	characters, _, err := gofont.ProcessCmap(table, tables.FPNone)
	if err != nil {
		return l, false
	}
	l = listed{pages: map[int32]*[4]uint64{}, source: Source{Name: path, Bytes: func() ([]byte, error) { return os.ReadFile(path) }}}
	for next := characters.Iter(); next.Next(); {
		r, _ := next.Char()
		if l.pages[r>>8] == nil {
			l.pages[r>>8] = &[4]uint64{}
		}
		l.pages[r>>8][r&255>>6] |= 1 << (r & 63)
	}
	const weight, width, selection = 4, 6, 62 // offsets in the table OS/2
	if os2, err := loaders[0].RawTable(opentype.MustNewTag("OS/2")); err == nil && len(os2) > selection+1 {
		l.rank = abs(int(os2[weight])<<8|int(os2[weight+1])-400) + 100*abs(int(os2[width])<<8|int(os2[width+1])-5)
		if os2[selection+1]&1 != 0 { // italic
			l.rank += 1000
		}
	}
	return l, true
}

func abs(n int) int { return max(n, -n) }
