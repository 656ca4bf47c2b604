package importer

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/octavo-docs/octavo/internal/importer/filename"
	"github.com/octavo-docs/octavo/internal/importer/settings"
)

// isMkDocs reports whether a file configures MkDocs. At the root of the tree, it names
// the folder of the pages.
func isMkDocs(name string) bool { return name == "mkdocs.yml" || name == "mkdocs.yaml" }

// mkdocs is the content of mkdocs.yml, without the navigation.
type mkdocs struct {
	folder string            // of the pages; "" is the folder of the file
	lost   bool              // the folder of the pages is missing
	rules  []rule            // which files are excluded
	shown  []string          // folders of files that pages show
	values map[string]string // definitions of abbreviations and links in the files that it appends to each page
	entry  Entry             // of mkdocs.yml itself, with its notes
}

// openMkDocs returns the folder of the pages and the settings if fsys contains an
// mkdocs.yml, else fsys.
func openMkDocs(fsys fs.FS) (fs.FS, *mkdocs, error) {
	nav, folder, err := readMkDocs(fsys, "mkdocs.yml", 0)
	if errors.Is(err, fs.ErrNotExist) {
		nav, folder, err = readMkDocs(fsys, "mkdocs.yaml", 0)
	}
	if errors.Is(err, fs.ErrNotExist) || isFolder(fsys, "mkdocs.yml") {
		return fsys, nil, nil
	}
	if nav == nil {
		return nil, nil, err
	}
	if err != nil {
		nav.entry.note(1, "it cannot be read, so the order and titles in it are lost, and all pages become drafts: %v", err)
		nav.rules = []rule{unreadable(nav.entry.Path, ".")}
	}
	if !isFolder(fsys, folder) {
		nav.lost = true
		nav.entry.note(1, "the folder %q that holds the pages is not in the tree", folder)
		return fsys, nav, nil
	}
	below, err := fs.Sub(fsys, folder)
	if err != nil {
		return nil, nil, fmt.Errorf("open the folder of the pages: %w", err)
	}
	nav.folder = folder
	return below, nav, nil
}

// readMkDocs reads a configuration and the folder of its pages. If it is not valid YAML,
// it returns an error as well. Exclusions of inherited files count; bases is their depth.
func readMkDocs(fsys fs.FS, name string, bases int) (nav *mkdocs, folder string, err error) {
	text, err := readFile(fsys, name)
	if err == nil && bases > 8 {
		err = errors.New("there are too many files that others inherit")
	}
	if err != nil {
		return nil, "", err
	}
	nav, folder = &mkdocs{entry: Entry{Path: name, Action: Skipped}, values: map[string]string{}}, "docs"
	doc, err := settings.YAML(text)
	if err != nil {
		return nav, folder, err
	}
	lists := map[string]string{}
	for key, value := range settings.Members(doc) {
		switch key.Value {
		case "docs_dir":
			folder = path.Clean(value.Value)
		case "INHERIT":
			base, _, err := readMkDocs(fsys, path.Join(path.Dir(name), value.Value), bases+1)
			if err == nil {
				nav.rules, nav.shown = append(nav.rules, base.rules...), append(nav.shown, base.shown...)
				maps.Copy(nav.values, base.values)
			} else {
				nav.entry.note(key.Line, notUnderstood, key.Value)
			}
		case "exclude_docs", "draft_docs":
			if value.Kind != yaml.ScalarNode || value.Tag == "!ENV" {
				nav.entry.note(key.Line, notUnderstood, key.Value)
			}
			lists[key.Value] = value.Value
		case "markdown_extensions":
			for _, folder := range settings.Option(value, "pymdownx.snippets", "base_path") {
				nav.shown = append(nav.shown, folder.Value)
			}
			for _, file := range settings.Option(value, "pymdownx.snippets", "auto_append") {
				nav.define(fsys, file)
			}
		case "plugins": // mkdocs-exclude, where * matches slashes too
			for _, kind := range []string{"glob", "regex"} {
				for _, item := range settings.Option(value, "exclude", kind) {
					nav.exclude(kind, item)
				}
			}
		}
	}
	nav.leaveOut("exclude_docs", "/templates/\n"+lists["exclude_docs"]) // MkDocs excludes templates by default
	nav.leaveOut("draft_docs", lists["draft_docs"])
	return nav, folder, nil
}

// define takes the definitions in a file that is appended to each page.
func (nav *mkdocs) define(fsys fs.FS, file *yaml.Node) {
	var text []byte
	for _, folder := range append(nav.shown, ".") {
		if found, err := readFile(fsys, path.Join(folder, file.Value)); err == nil && text == nil {
			text = found
		}
	}
	if settings.Define(nav.values, string(text)) || text == nil {
		nav.entry.note(file.Line, "%s is not appended to the pages, but for abbreviations and addresses of links in it", file.Value)
	}
}

func (nav *mkdocs) leaveOut(key, patterns string) {
	nav.rules = append(nav.rules, rule{where: key + " of " + nav.entry.Path, why: "it is left out", covers: filename.Matching(patterns)})
}

func (nav *mkdocs) exclude(kind string, item *yaml.Node) {
	if kind == "glob" {
		nav.leaveOut("exclude", strings.ReplaceAll(item.Value, "*", "**"))
	} else if re, err := regexp.Compile("^(?:" + item.Value + ")"); err != nil {
		nav.entry.note(item.Line, notUnderstood, kind)
	} else {
		nav.rules = append(nav.rules, rule{where: "exclude of " + nav.entry.Path, why: "it is left out", covers: re.MatchString})
	}
}

func isFolder(fsys fs.FS, name string) bool {
	info, err := fs.Stat(fsys, name)
	return err == nil && info.IsDir()
}
