package importer

import (
	"bytes"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// leavers are the keys by which generators leave out pages, by the names of their
// configurations. Lists that are written out are read; programs are not run.
var leavers = []struct {
	file *regexp.Regexp
	key  string
	at   string // before each pattern, for where it counts from
}{
	{regexp.MustCompile(`(^|/)\.v(ite|ue)press/config\.\w+$`), "srcExclude", "/"},
	{regexp.MustCompile(`(^|/)docusaurus\.config\.\w+$`), "exclude", "**/"},
	{regexp.MustCompile(`(^|/)conf\.py$`), "exclude_patterns", "/"},
	{regexp.MustCompile(`(^|/)(hugo|config)\.(toml|ya?ml|json)$`), "ignoreFiles", ""},
	{regexp.MustCompile(`(^|/)(config|zola)\.toml$`), "ignored_content", "**/"},
	{regexp.MustCompile(`(^|/)_quarto\.ya?ml$`), "render", ""},
	{regexp.MustCompile(`(^|/)retype\.(ya?ml|json)$`), "exclude", ""},
}

var (
	plainList = regexp.MustCompile(`^\s*\[(?:\s|,|'[^'\n]*'|"[^"\n]*"|[\w./*!-]+)*\][ \t]*(?:[,;})\]\r\n]|$)|^[ \t]*(?:\n+[ \t]*-[ \t]+[^\n]+)+`)
	dash      = regexp.MustCompile(`(?m)^[ \t]*-[ \t]`)
	remark    = regexp.MustCompile(`(?m)^[ \t]*(#|//).*$|[ \t](#|//)[^'"\n]*$`)
	listItem  = regexp.MustCompile(`'([^'\n]*)'|"([^"\n]*)"|([^\s,;)}\[\]'"]+)`)
)

const notUnderstood = "%s is not understood, so that pages it leaves out are not held back"

// leftOut reads the patterns in a configuration, or notes that they are not
// understood.
func (p *plan) leftOut(fsys fs.FS, name string) (rules []rule) {
	e := Entry{Path: name, Action: Skipped}
	for _, l := range leavers {
		if !l.file.MatchString(name) {
			continue
		}
		text, _ := readFile(fsys, name) // data that cannot be read is told as such
		text = remark.ReplaceAll(text, nil)
		root := strings.TrimSuffix(path.Dir(name), "config/_default")
		if l.key == "srcExclude" {
			e.note(1, lostOrder)
			root = path.Dir(root)
			if dir := regexp.MustCompile(`\bsrcDir\s*:\s*['"]([^'"\n]+)`).FindSubmatch(text); dir != nil {
				root = path.Join(root, string(dir[1]))
			}
		}
		for _, at := range regexp.MustCompile(`(?m)(?:^|[\s{,])["']?`+l.key+`["']?[ \t]*\+?[:=]`).FindAllIndex(text, -1) {
			covers, ok := leftOutBy(l.key, l.at, text[at[1]:])
			if ok {
				rules = append(rules, within(path.Clean(root), rule{where: l.key + " of " + name, why: "it is left out", covers: covers})...)
			} else {
				e.note(1+bytes.Count(text[:at[1]], []byte("\n")), notUnderstood, l.key)
			}
		}
	}
	if len(e.Notes) > 0 {
		p.entries = append(p.entries, e)
	}
	return rules
}

// leftOutBy returns what the list at the beginning of text leaves out, unless it is
// no list of plain patterns.
func leftOutBy(key, at string, text []byte) (covers func(file string) bool, ok bool) {
	list := plainList.Find(text)
	var patterns []string
	render := false // what is listed is rendered, not left out
	for _, m := range listItem.FindAllSubmatch(dash.ReplaceAll(list, nil), -1) {
		pattern := string(slices.Concat(m[1:]...))
		patterns = append(patterns, pattern)
		render = render || key == "render" && !strings.HasPrefix(pattern, "!")
	}
	if key == "ignoreFiles" { // expressions
		re, err := regexp.Compile(strings.ReplaceAll(strings.Join(patterns, "|"), `\\`, `\`))
		return func(file string) bool { return len(patterns) > 0 && re.MatchString("/"+file) }, list != nil && err == nil
	}
	for i, pattern := range patterns {
		pattern, not := strings.CutPrefix(pattern, "!")
		if strings.ContainsAny(pattern, "{}[]()$!") {
			return nil, false
		}
		if patterns[i] = at + strings.TrimPrefix(pattern, "/"); not && (render || key != "render") {
			patterns[i] = "!" + patterns[i]
		}
	}
	out := ignored(strings.Join(patterns, "\n"))
	return func(file string) bool { return out(file) != render }, list != nil
}
