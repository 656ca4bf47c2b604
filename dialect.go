package octavo

import "slices"

// Dialect is the kind of Markdown of a page (decision 86), named after a tool. With ""
// only marks that several tools share are recognised.
type Dialect string

// The dialects.
const (
	DialectMarkdown   Dialect = "markdown" // never MDX
	DialectMDX        Dialect = "mdx"      // always
	DialectMkDocs     Dialect = "mkdocs"
	DialectDocusaurus Dialect = "docusaurus"
	DialectGitBook    Dialect = "gitbook"
	DialectHugo       Dialect = "hugo"
	DialectMdBook     Dialect = "mdbook"
	DialectVitePress  Dialect = "vitepress"
	DialectObsidian   Dialect = "obsidian"
	DialectMyST       Dialect = "myst"
	DialectJekyll     Dialect = "jekyll"
)

// Dialects returns all dialects.
func Dialects() []Dialect {
	return []Dialect{
		DialectMarkdown, DialectMDX, DialectMkDocs, DialectDocusaurus, DialectGitBook, DialectHugo, DialectMdBook,
		DialectVitePress, DialectObsidian, DialectMyST, DialectJekyll,
	}
}

// CheckDialect returns what is wrong with a dialect, or "".
func CheckDialect(d Dialect) string {
	if d == "" || slices.Contains(Dialects(), d) {
		return ""
	}
	return "must be one of markdown, mdx, mkdocs, docusaurus, gitbook, hugo, mdbook, vitepress, obsidian, myst, jekyll, or null"
}

// MarshalJSON writes null for no dialect.
func (d Dialect) MarshalJSON() ([]byte, error) { return d.appendJSON(nil), nil }

func (d Dialect) appendJSON(dst []byte) []byte {
	if d == "" {
		return append(dst, "null"...)
	}
	return AppendString(dst, string(d))
}

// dialect reads a dialect, nil if absent: null and "" mean none.
func (f *fields) dialect() *Dialect {
	v, ok := f.nullable("dialect", KindString)
	if !ok {
		return nil
	}
	d := Dialect(v.Str)
	if msg := CheckDialect(d); msg != "" {
		f.faults.Add(Pointer(f.path, "dialect"), "%s", msg)
	}
	return &d
}
