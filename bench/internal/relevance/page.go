package relevance

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"go.yaml.in/yaml/v3"
)

// page is a page as peers are given it.
type page struct {
	Path        string `json:"path"`
	Words       string `json:"words"` // of the path
	Title       string `json:"title"`
	Description string `json:"description"`
	Headings    string `json:"headings"`
	Text        string `json:"text"` // with headings and code
	HTML        string `json:"html"`
}

// readPages reads the files of a corpus.
func readPages(folder string, paths []string) ([]page, error) {
	var pages []page
	for _, path := range paths {
		content, err := os.ReadFile(filepath.Join(folder, path))
		if err != nil {
			return nil, fmt.Errorf("read the corpus: %w", err)
		}
		p, err := readPage(path, content)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", path, err)
		}
		pages = append(pages, p)
	}
	return pages, nil
}

var (
	frontMatter = regexp.MustCompile(`(?s)\A---\r?\n(.*?)\r?\n---\r?\n`)
	tags        = regexp.MustCompile(`<[^>]*>`)
	index       = regexp.MustCompile(`(^|/)_?(index|README)$`)
)

func readPage(path string, content []byte) (page, error) {
	p := page{Path: path, Words: strings.TrimSuffix(path, filepath.Ext(path))}
	p.Words = strings.NewReplacer("/", " ", "-", " ", "_", " ").Replace(index.ReplaceAllString(p.Words, ""))
	if m := frontMatter.FindSubmatchIndex(content); m != nil {
		var meta struct{ Title, Description string }
		if err := yaml.Unmarshal(content[m[2]:m[3]], &meta); err != nil {
			return p, err
		}
		p.Title, p.Description = meta.Title, meta.Description
		content = content[m[1]:]
	}
	md := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(html.WithUnsafe()))
	tree := md.Parser().Parse(text.NewReader(content))
	var body, headings strings.Builder
	err := ast.Walk(tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if h, ok := n.(*ast.Heading); ok && entering {
			line := inline(h, content)
			headings.WriteString(line + "\n")
			if p.Title == "" {
				p.Title = line
			}
		}
		if entering {
			body.WriteString(words(n, content))
		} else if n.Type() == ast.TypeBlock {
			body.WriteString("\n")
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		return p, err
	}
	p.Text, p.Headings = body.String(), headings.String()
	var out bytes.Buffer
	err = md.Renderer().Render(&out, content, tree)
	p.HTML = out.String()
	return p, err
}

// words returns the text that a node holds itself.
func words(n ast.Node, source []byte) string {
	switch n := n.(type) {
	case *ast.Text:
		text := string(n.Value(source))
		if n.SoftLineBreak() || n.HardLineBreak() {
			text += "\n"
		}
		return text
	case *ast.String:
		return string(n.Value)
	case *ast.AutoLink:
		return string(n.Label(source))
	case *ast.CodeBlock, *ast.FencedCodeBlock:
		return string(n.Lines().Value(source))
	case *ast.HTMLBlock:
		return tags.ReplaceAllString(string(n.Lines().Value(source)), " ")
	}
	return ""
}

// inline returns the text of a block of inline nodes.
func inline(n ast.Node, source []byte) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		b.WriteString(words(c, source) + inline(c, source))
	}
	return b.String()
}
