package markdown

import (
	"fmt"
	"io"

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

// Names reports whether an address returned by References is that of written.
func Names(address, written string) bool {
	href, ok := reference.URI(written)
	return ok && href == address
}
