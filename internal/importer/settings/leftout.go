package settings

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo/internal/importer/filename"
)

// leavers are the configuration keys that exclude pages, by file name. Only literal
// lists are read; programs are never run.
var leavers = []struct {
	file *regexp.Regexp
	key  string
	at   string // prefix of each pattern, which anchors it
}{
	{regexp.MustCompile(`(^|/)\.vitepress/config(/index)?\.\w+$`), "srcExclude", "/"},
	{regexp.MustCompile(`(^|/)\.vuepress/config\.\w+$`), "pagePatterns", "/"},
	{regexp.MustCompile(`(^|/)\.?eleventy(\.config)?\.\w+$`), `\w+\.ignores\.add`, ""},
	{regexp.MustCompile(`(^|/)quartz\.config\.\w+$`), "ignorePatterns", "**/"},
	{regexp.MustCompile(`(^|/)myst\.ya?ml$`), "exclude", "/"},
	{regexp.MustCompile(`(^|/)pelicanconf\.py$`), "(?:IGNORE_FILE|(?:ARTICLE|PAGE)_EXCLUDE)S", "**/"},
	{regexp.MustCompile(`(^|/)(docusaurus\.config\.\w+|docfx\.json)$`), "exclude", "**/"},
	{regexp.MustCompile(`(^|/)conf\.py$`), "exclude_patterns", "/"},
	{regexp.MustCompile(`(^|/)(hugo|config)\.(toml|ya?ml|json)$`), "ignoreFiles", ""},
	{regexp.MustCompile(`(^|/)(hugo|config|module)\.(toml|ya?ml|json)$`), "excludeFiles", "**/"},
	{regexp.MustCompile(`(^|/)(config|zola)\.toml$`), "ignored_content", "**/"},
	{regexp.MustCompile(`(^|/)_quarto\.ya?ml$`), "render", ""},
	{regexp.MustCompile(`(^|/)_quarto\.ya?ml$`), "drafts", "/"},
	{regexp.MustCompile(`(^|/)retype\.(ya?ml|json)$`), "exclude", ""},
}

var (
	quoted    = "'[^'\n]*'|\"[^\"\n]*\"|`[^`$\n]*`"
	plainList = regexp.MustCompile("^\\s*(?:\\[(?:\\s|,|" + quoted + "|[\\w./*!-]+)*\\]|" + quoted + ")[ \\t]*(?:[,;})\\]\r\\n]|$)|^[ \\t]*(?:\\n+[ \\t]*-[ \\t]+[^\\n]+)+")
	partList  = regexp.MustCompile(`^\s*\[[^\]]*`)
	dash      = regexp.MustCompile(`(?m)^[ \t]*-[ \t]`)
	remark    = regexp.MustCompile(`(?m)^[ \t]*(#|//).*$|[ \t](#|//)[^'"\n]*$`)
	listItem  = regexp.MustCompile("'([^'\n]*)'|\"([^\"\n]*)\"|`([^`$\n]*)`|([^\\s,;)}\\[\\]'\"`]+)")
)

// Exclusion is a list in a configuration that excludes pages.
type Exclusion struct {
	Key     string
	Line    int
	Roots   []string // folders whose pages it excludes
	Covers  func(file string) bool
	Literal bool // all of it was understood
}

// Exclusions returns the exclusions in a configuration file. read returns its text.
func Exclusions(name string, read func() []byte) (all []Exclusion) {
	for _, l := range leavers {
		at := l.file.FindStringIndex(name)
		if at == nil {
			continue
		}
		text := remark.ReplaceAll(read(), nil)
		root := strings.TrimSuffix(path.Clean(name[:at[0]]), "config/_default")
		for _, at := range regexp.MustCompile(`(?m)(?:^|[\s{,])["']?`+l.key+`["']?[ \t]*(?:\+?[:=]|\()`).FindAllIndex(text, -1) {
			x := Exclusion{Line: 1 + bytes.Count(text[:at[1]], []byte("\n")), Roots: RootsOf(root, text)}
			x.Covers, x.Literal = leftOutBy(l.key, l.at, text[at[1]:])
			x.Key = string(bytes.Trim(text[at[0]:at[1]], " \t\r\n{,\"'+:=("))
			all = append(all, x)
		}
	}
	return all
}

// RootsOf returns the folders that a program configures: its own and those it names.
func RootsOf(root string, text []byte) []string {
	roots := []string{path.Clean(root)}
	for _, dir := range regexp.MustCompile(`\b(?:srcDir|path)\s*:\s*['"]([^'"\n]+)`).FindAllSubmatch(text, -1) {
		roots = append(roots, path.Join(root, string(dir[1])))
	}
	return roots
}

// leftOutBy parses the list at the start of text. It reports whether all are literals.
func leftOutBy(key, at string, text []byte) (covers func(file string) bool, ok bool) {
	list := plainList.Find(text)
	if ok = list != nil; !ok {
		list = partList.Find(text)
	}
	var patterns []string
	var expressions []*regexp.Regexp
	listed, some := key == "render" || key == "pagePatterns", false // lists of included pages
	for _, m := range listItem.FindAllSubmatch(dash.ReplaceAll(list, nil), -1) {
		pattern, not := strings.CutPrefix(string(slices.Concat(m[1:]...)), "!")
		if key == "ignoreFiles" {
			re, err := regexp.Compile(strings.ReplaceAll(pattern, `\\`, `\`))
			if ok = ok && err == nil; err == nil {
				expressions = append(expressions, re)
			}
			continue
		}
		if strings.ContainsAny(pattern, "()$!") {
			ok = false
			continue
		}
		some = some || !not
		if pattern = at + strings.TrimPrefix(pattern, "/"); not {
			pattern = "!" + pattern
		}
		patterns = append(patterns, pattern)
	}
	if listed && !ok {
		return func(string) bool { return false }, false
	}
	if listed && !some { // the complement
		patterns = slices.Insert(patterns, 0, "**")
	}
	in := filename.Matching(strings.Join(patterns, "\n"))
	return func(file string) bool {
		return in(file) != listed || slices.ContainsFunc(expressions, func(re *regexp.Regexp) bool { return re.MatchString("/" + file) })
	}, ok
}
