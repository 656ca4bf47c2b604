package moving

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"path"
	"strings"
)

// front is the front matter of a page.
type front struct {
	title       string
	description string
	language    string
	position    int
	tags        []string
	edited      string // a date
	draft       bool
}

func (f front) page(text string) []byte {
	var b bytes.Buffer
	b.WriteString("---\ntitle: " + quote(f.title) + "\n")
	if f.description != "" {
		b.WriteString("description: " + quote(f.description) + "\n")
	}
	if f.language != "" {
		b.WriteString("lang: " + f.language + "\n")
	}
	if f.position > 0 {
		fmt.Fprintf(&b, "sidebar_position: %d\n", f.position)
	}
	if len(f.tags) > 0 {
		b.WriteString("tags:\n")
		for _, tag := range f.tags {
			b.WriteString("  - " + quote(tag) + "\n")
		}
	}
	if f.edited != "" {
		b.WriteString("lastmod: " + f.edited + "\n")
	}
	if f.draft {
		b.WriteString("draft: true\n")
	}
	b.WriteString("---\n\n" + strings.TrimLeft(text, "\n"))
	return b.Bytes()
}

// quote formats a YAML string, for which JSON syntax is valid.
func quote(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(strings.Join(strings.Fields(s), " ")) != nil {
		return `""` // cannot happen
	}
	return strings.TrimSpace(b.String())
}

// between returns the relative address of a file.
func between(page, file string) string {
	from, to := strings.Split(path.Dir(page), "/"), strings.Split(file, "/")
	if from[0] == "." {
		from = nil
	}
	for len(from) > 0 && len(to) > 1 && from[0] == to[0] {
		from, to = from[1:], to[1:]
	}
	return (&url.URL{Path: strings.Repeat("../", len(from)) + strings.Join(to, "/")}).EscapedPath()
}

// readLimited reads a file of the export of at most limit bytes.
func readLimited(fsys fs.FS, name string, limit int64) ([]byte, error) {
	file, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err = errors.Join(err, file.Close()); err != nil {
		return nil, err
	}
	if int64(len(text)) > limit {
		return nil, fmt.Errorf("%s has more than %d MiB", name, limit>>20)
	}
	return text, nil
}

func isFile(fsys fs.FS, name string) bool {
	info, err := fs.Stat(fsys, name)
	return err == nil && info.Mode().IsRegular()
}
