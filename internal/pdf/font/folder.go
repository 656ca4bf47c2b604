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

// Folder is a folder with fonts for the scripts that the program has none for,
// those below it included. It is read when a character asks for it first, once. It
// is safe for use by several goroutines.
type Folder struct {
	read func() ([]listed, error)
}

// NewFolder returns the folder of that name, nil for "".
func NewFolder(name string) *Folder {
	if name == "" {
		return nil
	}
	return &Folder{read: sync.OnceValues(func() ([]listed, error) { return list(name) })}
}

// listed is a font of a folder.
type listed struct {
	source Source
	pages  map[int32]*[4]uint64 // the characters that it has, by the 256 that they are among
	rank   int                  // how far it is from an upright, regular one
}

func (l *listed) has(r rune) bool {
	p := l.pages[r>>8]
	return p != nil && p[r&255>>6]&(1<<(r&63)) != 0
}

// Err returns what went wrong when the folder was read: what of it is no font that
// can be used is no part of it.
func (f *Folder) Err() error {
	if f == nil {
		return nil
	}
	_, err := f.read()
	return err
}

// With returns the fonts that have a glyph for each of some characters, the most
// fitting first.
func (f *Folder) With(text ...rune) (all []Source) {
	if f == nil {
		return nil
	}
	fonts, _ := f.read() // Err tells
	for i := range fonts {
		if !slices.ContainsFunc(text, func(r rune) bool { return !unseen(r) && !fonts[i].has(r) }) {
			all = append(all, fonts[i].source)
		}
	}
	return all
}

// The bounds of a folder: its files, and the bytes of one of them.
const (
	maxFonts    = 4000
	maxFontFile = 64 << 20
)

// list reads which characters the fonts of a folder have.
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

// look reads which characters a font has; ok is false for one that cannot be used.
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
	const weight, width, selection = 4, 6, 62 // places in the table OS/2
	if os2, err := loaders[0].RawTable(opentype.MustNewTag("OS/2")); err == nil && len(os2) > selection+1 {
		l.rank = abs(int(os2[weight])<<8|int(os2[weight+1])-400) + 100*abs(int(os2[width])<<8|int(os2[width+1])-5)
		if os2[selection+1]&1 != 0 { // italic
			l.rank += 1000
		}
	}
	return l, true
}

func abs(n int) int { return max(n, -n) }
