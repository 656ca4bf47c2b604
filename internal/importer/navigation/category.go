package navigation

import (
	"cmp"
	"fmt"
	"io/fs"
	"math"
	"strconv"

	"github.com/octavo-docs/octavo/internal/importer/settings"
)

// Category is the content of a _category_ file (Docusaurus), or of .navigation.yml (Nuxt Content).
type Category struct {
	Title    string
	Position *int64
	Doc      string // path of the folder's page without extension; "" for index and similar
	Index    bool   // Docusaurus generates the page of the folder
	Slug     string // of that page; "" for the default
}

// Spacing is the distance between positions that files number consecutively. A page can
// be moved between two others without renumbering them.
const Spacing = 1024

// ReadCategory reads a _category_ file and returns the problems in it.
func ReadCategory(fsys fs.FS, name string) (c Category, problems []string) {
	text, err := fs.ReadFile(fsys, name)
	if err != nil {
		return c, []string{fmt.Sprintf("read it: %v", err)}
	}
	v, err := settings.Strict(name, text)
	if err != nil {
		return c, []string{err.Error()}
	}
	label, _ := v.Get("label")
	title, _ := v.Get("title") // of Nuxt Content
	c.Title = cmp.Or(label.Str, title.Str)
	if position, ok := v.Get("position"); ok {
		f, err := strconv.ParseFloat(position.Str, 64)
		if spaced := int64(math.Round(f * Spacing)); err == nil && f >= math.MinInt32 && f <= math.MaxInt32 {
			c.Position = &spaced
		} else {
			problems = append(problems, fmt.Sprintf("position: %s is not a position", position.AppendJSON(nil)))
		}
	}
	link, _ := v.Get("link")
	switch kind, _ := link.Get("type"); kind.Str {
	case "doc":
		id, _ := link.Get("id")
		c.Doc = id.Str
	case "generated-index":
		slug, _ := link.Get("slug")
		c.Index, c.Slug = true, slug.Str
	}
	return c, problems
}
