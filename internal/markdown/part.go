package markdown

import (
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/reference"
	"github.com/octavo-docs/octavo/internal/frontmatter"
)

// Part reads an included file: the text without front matter, and whether it is MDX. Of
// a file above the limit it reads enough to exceed the limit.
func Part(file io.Reader, name string) (text string, mdx bool, err error) {
	all, err := io.ReadAll(io.LimitReader(file, document.MaxIncluded+1))
	if err != nil {
		return "", false, fmt.Errorf("read %s: %w", name, err)
	}
	if _, body, format, err := frontmatter.Split(all); err == nil && format != frontmatter.None && len(all) <= document.MaxIncluded {
		all = body
	}
	return string(all), FormatOf(string(all), name, nil, "").MDX, nil
}

// Incomplete returns notices of the marks that name a file which include finds, but a part of
// it that it does not have or that a line cannot show, or which exceed what a page may show.
func Incomplete(content string, format Format, front []byte, include func(file string) (text string, mdx, found bool)) (all []document.Notice) {
	options := format.Options()
	var files []string
	options.Frontmatter, options.Include = front, func(file string) (text string, mdx, found bool) {
		if text, mdx, found = include(file); found {
			files = append(files, reference.Plain(file))
		}
		return text, mdx, found
	}
	for _, n := range document.Parse(content, options).Notices {
		named := slices.ContainsFunc(files, func(file string) bool { return strings.Contains(n.Text, path.Base(file)) })
		within := slices.ContainsFunc(files, func(file string) bool { return strings.HasPrefix(n.Text, file+": ") })
		if n.Kind == document.NotInLine || n.Kind == document.NotIncluded && named && !within {
			all = append(all, n)
		}
	}
	return all
}

// Names reports whether an address returned by References is that of written.
func Names(address, written string) bool {
	href, ok := reference.URI(written)
	return ok && href == address
}
