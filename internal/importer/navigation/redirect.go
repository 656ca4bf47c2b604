package navigation

import (
	"cmp"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"github.com/octavo-docs/octavo/internal/importer/script"
)

// redirect adds a redirect, or notes why it is not imported.
func (r *reader) redirect(from string, to script.Node, file string) {
	if from == "" && to.Kind == script.Null {
		return
	}
	source := path.Clean("/" + strings.TrimSuffix(from, ".html"))
	switch {
	case to.Kind != script.Text || from == "":
		r.note(to, file, "a redirect from %q is not imported, because it is computed", from)
		return
	case strings.ContainsAny(source+to.Text, "*{}[]()") || strings.Contains(source, "/:") || strings.Contains(to.Text, "/:"):
		r.note(to, file, "the redirect from %s is not imported, because it is a pattern", from)
		return
	case source == "/":
		return // the home page does not move
	}
	line := Redirect{From: source, File: file, Line: max(to.Line, 1)}
	if to.File != "" {
		line.File = to.File
	}
	if strings.Contains(to.Text, "://") {
		line.To = to.Text
	} else if line.Path = r.leadsTo(from, to.Text); line.Path == "" {
		r.note(to, file, "the redirect from %s is not imported: there is no page %s", from, to.Text)
		return
	}
	if _, anchor, found := strings.Cut(to.Text, "#"); found && line.Path != "" {
		line.To = "#" + anchor
	}
	r.tree.Redirects = append(r.tree.Redirects, line)
}

// leadsTo finds the page of a redirect. If both are addresses, one without a slash is
// relative to the other.
func (r *reader) leadsTo(from, to string) string {
	page := ""
	if from[0] == '/' && to != "" && to[0] != '/' {
		page = r.find(path.Join(path.Dir(from), to), r.site.Root)
	}
	dirs, content := []string{r.site.Root, r.site.Dir, "."}, path.Join(r.site.Dir, "content")
	for _, name := range r.below[content] {
		if len(name) == len("en") { // the folder of a language in Hugo
			dirs = append(dirs, path.Join(content, name))
		}
	}
	return cmp.Or(page, r.find(to, append(dirs, content)...))
}

// bookRedirects reads .gitbook.yaml and book.toml.
func (r *reader) bookRedirects() {
	said := r.site.said
	for _, list := range []script.Node{said.Get("redirects"), said.Get("output").Get("html").Get("redirect")} {
		for _, m := range list.Members {
			r.redirect(m.Name, m.Value, r.site.Config)
		}
	}
}

// hosts reads the redirects in files of Netlify, Cloudflare and Vercel, and in the
// configuration of Next.js.
func (r *reader) hosts() {
	for _, name := range r.names {
		switch base := path.Base(name); {
		case base == "_redirects":
			r.lines(name)
		case base == "vercel.json" || base == "netlify.toml" || strings.HasPrefix(base, "next.config."):
			if said, err := r.parse(name); err != nil {
				r.note(said, name, "it cannot be read: %v", err)
			} else {
				r.listed(said.Get("redirects"), name)
			}
		}
	}
}

// choice matches a part of an address with several literal values.
var choice = regexp.MustCompile(`:(\w+)\(([\w-]+(?:\|[\w-]+)*)\)`)

// listed reads a list of objects with the address and the target of redirects.
func (r *reader) listed(list script.Node, file string) {
	if list.Kind != script.List && list.Kind != script.Null {
		r.note(list, file, "the redirects are computed, so they are not imported")
	}
	for _, item := range list.Items {
		from, to := item.First("source", "from").Text, item.First("destination", "to")
		if len(item.Get("has").Items)+len(item.Get("missing").Items)+len(item.Get("conditions").Members) > 0 || strings.HasPrefix(item.Get("status").Text, "2") {
			r.note(item, file, "the redirect from %s is not imported, because it has conditions", from)
			continue
		}
		at := choice.FindStringSubmatch(from)
		if at == nil {
			r.redirect(from, to, file)
			continue
		}
		for value := range strings.SplitSeq(at[2], "|") {
			one := to
			one.Text = strings.ReplaceAll(to.Text, ":"+at[1], value)
			r.redirect(strings.Replace(from, at[0], value, 1), one, file)
		}
	}
}

// lines reads a _redirects file.
func (r *reader) lines(name string) {
	text, err := fs.ReadFile(r, name)
	if err != nil {
		r.note(script.Node{}, name, "it cannot be read: %v", err)
		return
	}
	r.tree.Read[name] = true
	line := 0
	for text := range strings.Lines(string(text)) {
		line++
		text, _, _ = strings.Cut(text, " #")
		parts := strings.Fields(text)
		switch {
		case len(parts) == 0 || strings.HasPrefix(parts[0], "#"):
		case len(parts) < 2 || len(parts) > 3 || !strings.HasPrefix(parts[0], "/") || len(parts) == 3 && !strings.HasPrefix(parts[2], "30"):
			r.note(script.Node{Line: line}, name, "the redirect %s is not imported, because it has conditions", strings.TrimSpace(text))
		default:
			r.redirect(parts[0], script.Node{Kind: script.Text, Text: parts[1], Line: line}, name)
		}
	}
}
