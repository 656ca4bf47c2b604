package reader

import (
	"bytes"
	"strings"
	"sync"

	"github.com/octavo-docs/octavo/internal/document/words"
	"github.com/octavo-docs/octavo/internal/site/look"
)

// statics are the style and the scripts by name, made at the first request.
type statics struct{ files sync.Map }

// Style is the style sheet of all pages.
func Style() []byte { return []byte(look.Style()) }

// Static returns the style sheet, or the script in a language. Its address
// contains its entity tag.
func (s *Service) Static(name string) (*File, error) {
	if made, known := s.statics.files.Load(name); known {
		return made.(*File), nil
	}
	language, script := strings.CutPrefix(strings.TrimSuffix(name, ".js"), "site-")
	kind, text := typeStyle, Style()
	switch {
	case script && name == scriptName(language):
		w := words.In(language)
		said, err := look.Said(&w)
		if err != nil {
			return nil, err
		}
		kind, text = typeScript, bytes.Join([][]byte{said, look.Script, look.Live}, nil)
	case name != styleName:
		return nil, errNoPage()
	}
	made, err := s.file(kind, text)
	if err == nil {
		s.statics.files.Store(name, made)
	}
	return made, err
}

const styleName = "site.css"

func scriptName(language string) string { return "site-" + words.Known(language) + ".js" }

// links returns the markup that loads style and script.
func (s *Service) links(language string) (markup string, err error) {
	style, err := s.Static(styleName)
	if err != nil {
		return "", err
	}
	script, err := s.Static(scriptName(language))
	if err != nil {
		return "", err
	}
	at := func(f *File, name string) string { return s.own + "/look/" + f.Tag + "/" + name }
	return `<link rel="stylesheet" href="` + at(style, styleName) + `">
<script src="` + at(script, scriptName(language)) + `"></script>
`, nil
}
