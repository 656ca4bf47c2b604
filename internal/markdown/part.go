package markdown

import (
	"fmt"
	"io"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/reference"
	"github.com/octavo-docs/octavo/internal/frontmatter"
)

// Part reads a file that pages take in: its text without front matter, and
// whether that is MDX. Of a file that is too long to be shown a beginning is read
// that is so too.
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

// Names reports whether an address that References returned is that of what was
// written.
func Names(address, written string) bool {
	href, ok := reference.URI(written)
	return ok && href == address
}
