package octavo

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// parsed reads a value of JSON whose objects have string, bool, null and object
// members alone.
func parsed(t *testing.T, text string) Value {
	t.Helper()
	var read func(any) Value
	read = func(v any) Value {
		switch v := v.(type) {
		case string:
			return String(v)
		case bool:
			return Value{Kind: KindBool, Bool: v}
		case float64:
			return Value{Kind: KindNumber, Str: "1"}
		case []any:
			list := Value{Kind: KindArray}
			for _, item := range v {
				list.Items = append(list.Items, read(item))
			}
			return list
		case map[string]any:
			o := Object()
			for name, member := range v {
				o.Members = append(o.Members, Member{name, read(member)})
			}
			return o
		}
		return Value{}
	}
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return read(v)
}

// faultsOf returns the paths of what is wrong, in order, each once.
func faultsOf(err error) string {
	var e *Error
	var paths []string
	if errors.As(err, &e) {
		for _, f := range e.Fields {
			paths = append(paths, f.Path)
		}
	}
	return strings.Join(paths, " ")
}

func TestSitePatch(t *testing.T) {
	t.Parallel()
	const plain = `"title":"","description":"","home":null,"language":"","dialect":null,"logo":{"light":null,"dark":null},"favicon":null,"css":"","theme":{"light":{},"dark":{}},"header":[],"footer":[],"footerText":"","banner":null,"robots":"index","source":true,"remoteImages":"load","feedback":true,"suggestions":false,"review":{"approvals":0,"upToDate":false}`
	with := func(pairs ...string) string { return "{" + strings.NewReplacer(pairs...).Replace(plain) + "}" }
	site := DefaultSite()
	for _, c := range []struct{ patch, want string }{ // one after the other
		{`{}`, with()},
		{`{"title":"T","source":false}`, with(`"title":""`, `"title":"T"`, `"source":true`, `"source":false`)},
		{`{"title":null,"source":null,"home":"page_01h455vb4pex5vsknk084sn02q"}`, with(`"home":null`, `"home":"page_01h455vb4pex5vsknk084sn02q"`)},
		{`{"home":null,"logo":{"dark":"asset_01h455vb4pex5vsknk084sn02q"},"language":"pt-BR","dialect":"hugo","remoteImages":"link"}`, with(`"dark":null`, `"dark":"asset_01h455vb4pex5vsknk084sn02q"`, `"language":""`, `"language":"pt-BR"`, `"dialect":null`, `"dialect":"hugo"`, `"load"`, `"link"`)},
		{`{"logo":null,"language":null,"dialect":"","remoteImages":null,"theme":{"light":{"text":"#000"}}}`, with(`"light":{}`, `"light":{"text":"#000"}`)},
		{`{"theme":{"light":{"text":null},"dark":{"link":"#abcdef"}}}`, with(`"dark":{}`, `"dark":{"link":"#abcdef"}`)},
		{`{"theme":null,"banner":{"text":"News","href":"mailto:a@b"}}`, with(`"banner":null`, `"banner":{"text":"News","href":"mailto:a@b","kind":"info"}`)},
		{`{"banner":{"kind":"warning","href":null}}`, with(`"banner":null`, `"banner":{"text":"News","href":"","kind":"warning"}`)},
		{`{"banner":null,"header":[{"label":"A","href":"/a"}],"robots":"noindex"}`, with(`"header":[]`, `"header":[{"label":"A","href":"/a"}]`, `"index"`, `"noindex"`)},
		{`{"header":null,"robots":null,"suggestions":true}`, with(`"suggestions":false`, `"suggestions":true`)},
		{`{"suggestions":null}`, with()},
		{`{"review":{"approvals":1}}`, with(`"approvals":0`, `"approvals":1`)},
		{`{"review":{"upToDate":true}}`, with(`"approvals":0,"upToDate":false`, `"approvals":1,"upToDate":true`)},
		{`{"review":null}`, with()},
	} {
		next, err := site.Patch(parsed(t, c.patch))
		if have := string(next.AppendJSON(nil)); err != nil || have != c.want {
			t.Errorf("%s: have %s, %v\nwant %s", c.patch, have, err, c.want)
		}
		site = next
	}
}

func TestSitePatchRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ patch, want string }{
		{`{"titel":"x"}`, "/titel"},
		{`{"title":1}`, "/title"},
		{`{"title":"` + strings.Repeat("x", 201) + `"}`, "/title"},
		{`{"description":"two\nlines"}`, "/description"},
		{`{"home":"asset_01h455vb4pex5vsknk084sn02q"}`, "/home"},
		{`{"css":"` + strings.Repeat("x", 65537) + `"}`, "/css"},
		{`{"theme":{"light":{"text":"red"}}}`, "/theme/light/text"},
		{`{"theme":{"light":{"blink":"#fff"}}}`, "/theme/light/blink"},
		{`{"theme":{"sepia":{}}}`, "/theme/sepia"},
		{`{"footer":[{"label":"x","href":"javascript:alert(1)"}]}`, "/footer/0/href"},
		{`{"footer":[{"label":"x","href":"//evil.example"}]}`, "/footer/0/href"},
		{`{"footer":[{"label":"x","href":"/\\evil.example"}]}`, "/footer/0/href"},
		{`{"footer":[{"label":"x","href":"data:text/html,x"}]}`, "/footer/0/href"},
		{`{"footer":[{"href":"/a"}]}`, "/footer/0/label"},
		{`{"banner":{"href":"/a"}}`, "/banner/text"},
		{`{"banner":{"text":"x","kind":"loud"}}`, "/banner/kind"},
		{`{"robots":"none"}`, "/robots"},
		{`{"source":"yes"}`, "/source"},
		{`{"suggestions":"yes"}`, "/suggestions"},
	} {
		if _, err := DefaultSite().Patch(parsed(t, c.patch)); faultsOf(err) != c.want {
			t.Errorf("%.60s: have %v, want a fault at %s", c.patch, err, c.want)
		}
	}
}

func TestDecodeRedirect(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ from, to, want, faults string }{
		{"/old", "/new", "/old", ""},
		{"/old/", "/new/", "/old", ""},
		{"/caf%C3%A9", "/x?a=1#b", "/café", ""},
		{"/old/*", "/new/*", "/old/*", ""},
		{"/old*", "https://docs.example/", "/old*", ""},
		{"/old*", "https://docs.example/v1/*", "/old*", ""},
		{"/old*", "https://docs.example*", "/old*", "/to"}, // which would end the host
		{"/old", "/new*", "/old", "/to"},
		{"/o*d", "/new", "/o*d", "/from"},
		{"old", "/new", "old", "/from"},
		{"/", "/new", "", "/from"},
		{"/-/search", "/new", "/-/search", "/from"},
		{"/old?a=1", "/new", "/old?a=1", "/from"},
		{"/old", "//evil.example", "/old", "/to"},
		{"/old", "javascript:alert(1)", "/old", "/to"},
		{"/old", "/old", "/old", "/to"},
		{"/" + strings.Repeat("x", 1000), "/new", "/" + strings.Repeat("x", 1000), "/from"},
	} {
		r, err := DecodeRedirect(Object(Member{"from", String(c.from)}, Member{"to", String(c.to)}), true)
		if r.From != c.want || faultsOf(err) != c.faults {
			t.Errorf("%.40s to %s: have %.40q, %v; want %.40q, faults %q", c.from, c.to, r.From, err, c.want, c.faults)
		}
	}
}
