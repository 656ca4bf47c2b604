package octavo_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/jsonvalue"
)

// faultsOf returns the paths of the faults that decode finds.
func faultsOf(t *testing.T, body string, decode func(octavo.Value) error) []string {
	t.Helper()
	v, err := jsonvalue.Decode([]byte(body))
	if err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	err = decode(v)
	var known *octavo.Error
	if err != nil && !errors.As(err, &known) {
		t.Fatalf("%s: %v", body, err)
	}
	var paths []string
	if known != nil {
		for _, f := range known.Fields {
			paths = append(paths, f.Path)
		}
	}
	return paths
}

func TestDecodeWebhookCreate(t *testing.T) {
	for _, c := range []struct {
		body string
		want []string
	}{
		{`{"url":"https://a.example/x?y=z"}`, nil},
		{`{"url":"HTTP://a.example:8080","types":["page.created"],"description":"","disabled":true,"more":1}`, nil},
		{`[]`, []string{""}},
		{`{}`, []string{"/url"}},
		{`{"url":null}`, []string{"/url"}},
		{`{"url":"a.example"}`, []string{"/url"}},
		{`{"url":"ftp://a.example"}`, []string{"/url"}},
		{`{"url":"https://"}`, []string{"/url"}},
		{`{"url":"https://u:p@a.example"}`, []string{"/url"}},
		{`{"url":"https://a.example/` + strings.Repeat("x", 2048) + `"}`, []string{"/url"}},
		{`{"url":"https://a.example","types":[]}`, []string{"/types"}},
		{`{"url":"https://a.example","types":"page.created"}`, []string{"/types"}},
		{`{"url":"https://a.example","types":["page.created","Page","page.created",3]}`, []string{"/types/1", "/types/2", "/types/3"}},
		{`{"url":"https://a.example","types":[` + strings.Repeat(`"a.b",`, 64) + `"a.b"]}`, []string{"/types"}},
		{`{"url":"https://a.example","description":"` + strings.Repeat("é", 1000) + `"}`, nil},
		{`{"url":"https://a.example","description":"` + strings.Repeat("é", 1001) + `"}`, []string{"/description"}},
		{`{"url":"https://a.example","description":"\u0000"}`, []string{"/description"}},
		{`{"url":"https://a.example","disabled":0}`, []string{"/disabled"}},
	} {
		have := faultsOf(t, c.body, func(v octavo.Value) error {
			w, err := octavo.DecodeWebhookCreate(v, false)
			if err == nil && len(w.Types) == 0 {
				t.Errorf("%s: no types", c.body)
			}
			return err
		})
		if !slices.Equal(have, c.want) {
			t.Errorf("%.200s: have faults at %q, want %q", c.body, have, c.want)
		}
	}
	strict := func(v octavo.Value) error { _, err := octavo.DecodeWebhookCreate(v, true); return err }
	if have := faultsOf(t, `{"url":"https://a.example","more":1}`, strict); !slices.Equal(have, []string{"/more"}) {
		t.Errorf("strict: have faults at %q, want /more", have)
	}
}

func TestDecodeWebhookPatch(t *testing.T) {
	for body, want := range map[string][]string{
		`{"disabled":false}`:          nil,
		`{"url":"http://a.example"}`:  nil,
		`{"types":["a.b"],"other":1}`: nil,
		`{}`:                          {""},
		`{"other":1}`:                 {""},
		`{"url":1,"types":[]}`:        {"/types", "/url"},
	} {
		have := faultsOf(t, body, func(v octavo.Value) error { _, err := octavo.DecodeWebhookPatch(v, false); return err })
		slices.Sort(have)
		if !slices.Equal(have, want) {
			t.Errorf("%s: have faults at %q, want %q", body, have, want)
		}
	}
}

func TestDecodeRedeliver(t *testing.T) {
	for body, want := range map[string][]string{
		`{"since":"2026-01-31T12:00:00+01:00"}`: nil,
		`{}`:                                    {"/since"},
		`{"since":null}`:                        {"/since"},
		`{"since":"yesterday"}`:                 {"/since"},
	} {
		have := faultsOf(t, body, func(v octavo.Value) error { _, err := octavo.DecodeRedeliver(v, false); return err })
		if !slices.Equal(have, want) {
			t.Errorf("%s: have faults at %q, want %q", body, have, want)
		}
	}
}
