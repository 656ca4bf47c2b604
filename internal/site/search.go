package site

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/markdown"
	"github.com/octavo-docs/octavo/internal/site/look"
)

//go:embed find.js
var finder []byte

// frame writes the shared style sheet and scripts.
func (b *builder) frame(context.Context) error {
	tokens, _ := b.options.Theme.CSS()
	said, err := look.Said(&b.words)
	if err != nil {
		return err
	}
	for _, f := range []struct {
		name    string
		content []byte
	}{{"site.css", []byte(look.Style() + tokens)}, {"words.js", said}, {"site.js", look.Script}, {"find.js", finder}} {
		if err := b.zip.write(siteFolder+f.name, f.content); err != nil {
			return err
		}
	}
	return nil
}

// Limits of the search index in bytes: per file, in memory, and for the searchable text and code of a page.
const (
	maxShard = 512 << 10
	maxText  = 256 << 10
	maxCode  = 64 << 10
)

// searchIndex is the text of the pages for the search script. It consists of scripts, since pages on a
// disk can load nothing else, and of several files, to limit memory while writing.
//
//	octavoSearch.add([[file, title, description, [[anchor, heading, text, code], …]], …])
type searchIndex struct {
	pieces []piece
	size   int64 // of their text
	shards int
}

// record returns the index entry of a page with its separator. It is valid until the next call of begin.
func (b *builder) record(it *item, d *document.Document) ([]byte, error) {
	text, code := maxText, maxCode
	sections := [][4]string{}
	for _, section := range markdown.Sections(d) {
		var row [4]string
		if section.Heading != nil {
			row[0], row[1] = section.Heading.Anchor, section.Heading.Text
		}
		row[2], text = cut(section.Text, text)
		row[3], code = cut(section.Code, code)
		sections = append(sections, row)
	}
	b.filled.Reset()
	if err := json.NewEncoder(&b.filled).Encode([]any{it.Href, it.Name, it.description, sections}); err != nil {
		return nil, fmt.Errorf("index for search: %w", err)
	}
	b.filled.Truncate(b.filled.Len() - len("\n"))
	b.filled.WriteString(",\n")
	return b.filled.Bytes(), nil
}

func (s *searchIndex) add(zip *archive, record piece) error {
	s.pieces = append(s.pieces, record)
	if s.size += record.size; s.size < maxShard {
		return nil
	}
	return s.writeShard(zip)
}

func (s *searchIndex) writeShard(zip *archive) error {
	if len(s.pieces) == 0 {
		return nil
	}
	s.shards++
	before, err := zip.piece([]byte("octavoSearch.add([\n"))
	if err != nil {
		return err
	}
	after, err := zip.piece([]byte("]);\n"))
	if err != nil {
		return err
	}
	err = zip.join(siteFolder+"search-"+strconv.Itoa(s.shards)+".js", slices.Concat([]piece{before}, s.pieces, []piece{after})...)
	clear(s.pieces)
	s.pieces, s.size = s.pieces[:0], 0
	return err
}

// flush writes the rest of the index and the number of files.
func (s *searchIndex) flush(zip *archive) error {
	if err := s.writeShard(zip); err != nil {
		return err
	}
	return zip.write(siteFolder+"search.js", []byte("octavoSearch.begin("+strconv.Itoa(s.shards)+");\n"))
}

// cut truncates text to the available bytes, and returns the remainder of them.
func cut(text string, room int) (string, int) {
	if len(text) > room {
		text = strings.ToValidUTF8(text[:room], "")
	}
	return text, room - len(text)
}
