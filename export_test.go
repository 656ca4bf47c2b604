package octavo_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/jsonvalue"
)

func decodeExport(t *testing.T, body string) (octavo.ExportRequest, error) {
	t.Helper()
	v, err := jsonvalue.Decode([]byte(body))
	if err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	return octavo.DecodeExportRequest(v, time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), false)
}

func TestDecodeExportRequestFaults(t *testing.T) {
	t.Parallel()
	with := func(rest string) string { return `{"format":"pdf","scope":"site",` + rest + `}` }
	for _, c := range []struct {
		body string
		want []string
	}{
		{`[]`, []string{""}},
		{`{}`, []string{"/format", "/scope"}},
		{`{"format":"docx","scope":1}`, []string{"/format", "/scope"}},
		{`{"format":"pdf","scope":"selected"}`, []string{"/selection"}},
		{with(`"selection":null`), []string{"/selection"}},
		{with(`"selection":{"mode":"ids"}`), []string{"/selection/items"}},
		{with(`"selection":{"items":[]}`), []string{"/selection/items"}},
		{with(`"selection":{"items":{}}`), []string{"/selection/items"}},
		{with(`"selection":{"mode":"all","items":[]}`), nil},
		{with(`"selection":{"items":[` + strings.Repeat(`{"id":"page_1","type":"section"},`, octavo.MaxExportItems-1) + `{"id":"page_1","type":"page"}]}`), nil},
		{with(`"selection":{"items":[` + strings.Repeat(`{},`, octavo.MaxExportItems) + `{}]}`), []string{"/selection/items"}},
		{with(`"selection":{"mode":"query"}`), []string{"/selection/query"}},
		{with(`"selection":{"query":{"language":"pt-BR"}}`), nil},
		{with(`"selection":{"query":{"language":"p_t"}}`), []string{"/selection/query/language"}},
		{with(`"selection":{"items":[{"id":"page_1","type":"page","options":{"a":[],"b":1}}]}`), []string{"/selection/items/0/options/a"}},
		{with(`"rendering":{"theme":"dark"}`), []string{"/rendering/theme"}},
		{with(`"rendering":{"theme":{}}`), []string{"/rendering/theme/name", "/rendering/theme/tokens"}},
		{with(`"rendering":{"theme":{"name":"x","tokens":{"text":"#12345","link":"#ABC"}}}`), []string{"/rendering/theme/tokens/text"}},
		{with(`"rendering":{"theme":{"name":"x","tokens":{"text":null}}}`), []string{"/rendering/theme/tokens/text"}},
		{with(`"rendering":{"assets":{"metadata":{"tags":["a","a"]}}}`), []string{"/rendering/assets/metadata/tags/1"}},
		{with(`"delivery":{"channels":[{"kind":"email","email":"A <a@b.example>"}]}`), []string{"/delivery/channels/0/email"}},
		{with(`"delivery":{"channels":[{"kind":"email","email":"a@b.example\r\nBcc: c@d.example"}]}`), []string{"/delivery/channels/0/email"}},
		{with(`"delivery":{"channels":[` + strings.Repeat(`{},`, 20) + `{}]}`), []string{"/delivery/channels"}},
		{with(`"delivery":{"expiresAt":"2026-03-01T00:00:00Z"}`), []string{"/delivery/expiresAt"}},
		{with(`"delivery":{"expiresAt":null}`), nil},
		{with(`"callbackUrl":"//x"`), []string{"/callbackUrl"}},
	} {
		have := faultsOf(t, c.body, func(octavo.Value) error { _, err := decodeExport(t, c.body); return err })
		if !slices.Equal(have, c.want) {
			t.Errorf("%s:\nhave %q\nwant %q", c.body, have, c.want)
		}
	}
}

// TestDecodeExportRequest holds what a request means, and what it is warned of.
func TestDecodeExportRequest(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		body, want string
		warnings   []string
	}{
		{
			`{"format":"html","scope":"site"}`,
			`{"format":"html","scope":"site","includeDrafts":false,"selection":{"mode":"all"},"rendering":{"theme":{"name":"system"},"embedAssets":true,"metadata":{}},"delivery":{}}`, nil,
		},
		{
			`{"format":"pdf","scope":"selected","selection":{"items":[{"id":"page_1","type":"section","options":{"depth":2.0,"title":"T","pageBreak":true,"x":1}}]},"y":1}`,
			`{"format":"pdf","scope":"selected","includeDrafts":false,"selection":{"mode":"ids","items":[{"id":"page_1","type":"section","options":{"depth":2,"title":"T","pageBreak":true}}]},` +
				`"rendering":{"theme":{"name":"system"},"embedAssets":true,"metadata":{}},"delivery":{}}`,
			[]string{"/selection/items/0/options/x", "/y"},
		},
		{
			`{"format":"html","scope":"published","includeDrafts":true,"rendering":{"theme":{"name":"n","tokens":{"text":"#fff","brand-2":"#abcdef","2x":"#000"}},"assets":{"embed":false}},` +
				`"delivery":{"channels":[{"kind":"webhook","url":"https://a.example"}],"expiresAt":"2027-01-01T00:00:00Z"}}`,
			`{"format":"html","scope":"published","includeDrafts":true,"selection":{"mode":"all"},` +
				`"rendering":{"theme":{"name":"n","tokens":{"brand-2":"#abcdef","text":"#fff"}},"embedAssets":false,"metadata":{}},` +
				`"delivery":{"channels":[{"kind":"webhook","url":"https://a.example"}],"expiresAt":"2026-03-31T00:00:00Z"}}`,
			[]string{"/rendering/theme/tokens/2x", "/rendering/theme/tokens", "/delivery/expiresAt", "/includeDrafts"},
		},
	} {
		r, err := decodeExport(t, c.body)
		if err != nil {
			t.Errorf("%s: %v", c.body, err)
			continue
		}
		have, err := json.Marshal(r)
		if err != nil || string(have) != c.want {
			t.Errorf("%s:\nhave %s (%v)\nwant %s", c.body, have, err, c.want)
		}
		var paths []string
		for _, w := range r.Warnings {
			paths = append(paths, w.Path)
		}
		if !slices.Equal(paths, c.warnings) {
			t.Errorf("%s: warnings\nhave %q\nwant %q", c.body, paths, c.warnings)
		}
	}
}

func TestExportReportsTheContrast(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, background, want string }{
		{"#777777", "#ffffff", "4.47:1"}, // the usual example: just too little
		{"#767676", "#fff", ""},
		{"#fff", "#fff", "1.00:1"},
		{"#000", "#ffffff", ""},
		{"", "#101820", ""}, // what is left out is light on a dark background
		{"#333333", "#101820", "1.41:1"},
		{"#333333", "#14171c", "1.42:1 to its background in dark colours"},
	} {
		text := ""
		if c.text != "" {
			text = `"text":"` + c.text + `",`
		}
		r, err := decodeExport(t, `{"format":"html","scope":"site","rendering":{"theme":{"name":"n","tokens":{`+text+`"background":"`+c.background+`"}}}}`)
		if err != nil {
			t.Fatal(err)
		}
		if told := len(r.Warnings) > 0; told != (c.want != "") || told && !strings.Contains(r.Warnings[0].Message, c.want) {
			t.Errorf("%s on %s: have %v, want %q", c.text, c.background, r.Warnings, c.want)
		}
	}
}

// TestSystemThemeContrast shows that tokens of the theme that follows the
// reader are held against its dark colours too, where those are shown.
func TestSystemThemeContrast(t *testing.T) {
	t.Parallel()
	for format, want := range map[string]int{"html": 2, "pdf": 1} {
		r, err := decodeExport(t, `{"format":"`+format+`","scope":"site","rendering":{"theme":{"name":"system","tokens":{"text":"#777777"}}}}`)
		if err != nil || len(r.Warnings) != want {
			t.Errorf("%s: have %v and %v, want %d warnings", format, r.Warnings, err, want)
		}
	}
}

// TestExportOptionsWithoutEffect shows that each format tells which options of
// items it takes no notice of.
func TestExportOptionsWithoutEffect(t *testing.T) {
	t.Parallel()
	for format, want := range map[string][]string{"pdf": nil, "html": {"pageBreak"}, "markdown": {"title", "pageBreak"}} {
		r, err := decodeExport(t, `{"format":"`+format+`","scope":"selected","selection":{"items":[{"id":"page_1","type":"page","options":{"title":"T","pageBreak":true}}]}}`)
		if err != nil {
			t.Fatal(err)
		}
		var have []string
		for _, w := range r.Warnings {
			have = append(have, strings.TrimPrefix(w.Path, "/selection/items/0/options/"))
		}
		if !slices.Equal(have, want) {
			t.Errorf("%s: have warnings of %q, want %q", format, have, want)
		}
	}
}

func TestWarningLimit(t *testing.T) {
	t.Parallel()
	var w octavo.WarningList
	for range octavo.MaxExportWarnings + 5 {
		w.Add(octavo.ExportWarning{Message: "m"})
	}
	list := w.List()
	if last := list[len(list)-1].Message; len(list) != octavo.MaxExportWarnings || last != "There are 6 more warnings." {
		t.Errorf("have %d warnings, the last %q", len(list), last)
	}
}

// TestThemeBase shows which colours stand where a theme has none of its own.
func TestThemeBase(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		theme octavo.ExportTheme
		want  string
	}{
		{octavo.ExportTheme{}, "system"},
		{octavo.ExportTheme{Name: "system", Tokens: map[string]string{"background": "#000000"}}, "system"},
		{octavo.ExportTheme{Name: "ours"}, "light"},
		{octavo.ExportTheme{Name: "ours", Tokens: map[string]string{"background": "#FFF"}}, "light"},
		{octavo.ExportTheme{Name: "ours", Tokens: map[string]string{"background": "#101820"}}, "dark"},
	} {
		if have := c.theme.Base(); have != c.want {
			t.Errorf("%+v: have %s, want %s", c.theme, have, c.want)
		}
	}
}

// TestThemeColourAsYAMLComment shows that a colour without quotation marks,
// which YAML reads as nothing, is answered with what to do about it.
func TestThemeColourAsYAMLComment(t *testing.T) {
	t.Parallel()
	_, err := decodeExport(t, `{"format":"html","scope":"site","rendering":{"theme":{"name":"x","tokens":{"link":null}}}}`)
	var known *octavo.Error
	if !errors.As(err, &known) || len(known.Fields) != 1 || !strings.Contains(known.Fields[0].Message, "quotation marks") {
		t.Errorf("have %v", err)
	}
}

// TestExportAssetsWithoutEffect shows when a named asset is left out, with a warning.
func TestExportAssetsWithoutEffect(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		format, embed string
		want          int // warnings
	}{{"pdf", "true", 1}, {"html", "true", 0}, {"html", "false", 1}, {"markdown", "true", 0}, {"markdown", "false", 1}} {
		r, err := decodeExport(t, `{"format":"`+c.format+`","scope":"selected","selection":{"items":[{"id":"page_1","type":"page"},{"id":"asset_1","type":"asset"}]},
			"rendering":{"assets":{"embed":`+c.embed+`}}}`)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Warnings) != c.want || c.want > 0 && r.Warnings[0].Path != "/selection/items/1" {
			t.Errorf("%s, embed %s: have %v, want %d of the asset", c.format, c.embed, r.Warnings, c.want)
		}
	}
}
