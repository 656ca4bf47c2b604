package analysis

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// show writes tokens as text: words bare, the others with a sign in front, and
// each with its place.
func show(text string) string {
	var s Scanner
	var out []string
	signs := map[Kind]string{Joined: "=", Flag: "!", Gram: "~", Single: "1", Tail: "."}
	s.Scan(Clean(text), 0, func(t Token) {
		out = append(out, signs[t.Kind]+string(t.Text)+"@"+string(rune('0'+t.Pos)))
	})
	return strings.Join(out, " ")
}

func TestScan(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{" ,;-- !?", ""},
		{"Two words.", "two@0 words@1"},
		{"noCache", "no@0 cache@0 =nocache@0"},
		{"no-cache no_cache", "no@0 cache@1 =nocache@0 no@2 cache@3 =nocache@2"},
		{"HTTPServer SDKs URLs", "http@0 server@0 =httpserver@0 sdks@1 urls@2"},
		{"HTTP2Server K8S OAuth2 eBPF", "http2@0 server@0 =http2server@0 k8s@1 oauth2@2 ebpf@3"},
		{"--no-cache", "no@0 cache@1 =nocache@0 !-nocache@0"},
		{"use -v (--all)", "use@0 v@1 !-v@1 all@2 !-all@2"},
		{"a - b--c -5", "a@0 b@1 c@2 5@3"},
		{"v1.2.3", "v1@0 2@1 3@2 =v1.2.3@0"},
		{"CVE-2024-36129", "cve@0 2024@1 36129@2 =cve202436129@0"},
		{"service.name::std", "service@0 name@1 std@2 =namestd@1 =servicenamestd@0"},
		{"cache.getItem", "cache@0 get@1 item@1 =getitem@1 =cachegetitem@0"},
		{"the server's don’t", "the@0 server@1 don@2 t@3 =dont@2"},
		{"C++, C# and F#", "c++@0 c#@1 and@2 f#@3"},
		{"C++17 -c++ a++b x#1 C", "c++@0 17@1 c++@2 !-c++@2 a@3 b@4 x@5 1@6 c@7"},
		{"a.b.get_item(x)", "a@0 b@1 get@2 item@3 =bgetitem@1 =getitem@2 =abgetitem@0 x@4"},
		{"app::no-cache.getItem", "app@0 no@1 cache@2 get@3 item@3 =nocache@1 =nocachegetitem@1 =getitem@3 =appnocachegetitem@0"},
		{"new-getItem _app.get_", "new@0 get@1 item@1 =getitem@1 =newgetitem@0 app@2 get@3 =appget@2"},
		{"don‘t donʼt don＇t user‘s", "don@0 t@1 =dont@0 don@2 t@3 =dont@2 don@4 t@5 =dont@4 user@6"},
		{"Q&A, AT&T T&Cs R&amp;D", "q@0 a@1 =q&a@0 at@2 t@3 =at&t@2 t@4 cs@5 =t&cs@4 r@6 amp@7 =r&amp@6 d@8"},
		{"?limit=10&sort=up&q=a a&& b", "limit@0 10@1 sort@2 up@3 q@4 a@5 a@6 b@7"},
		{"الكِتَابُ مُحَمَّد أإآ كـتاب", "الكتاب@0 محمد@1 ااا@2 كتاب@3"},
		{"שָׁלוֹם בּ", "שלום@0 ב@1"},
		{"Élan Straße ＡＢＣ ﬁne", "elan@0 strasse@1 abc@2 fine@3"},
		{"e\u0301te\u0301", "ete@0"},
		{"soft\u00ADhyphen", "softhyphen@0"},
		{"计算属性", "~计算@0 ~算属@1 ~属性@2 .性@3"},
		{"用 Vue组件", "1用@0 vue@1 ~组件@2 .件@3"},
		{"ﾃｽﾄ", "~テス@0 ~スト@1 .ト@2"},
		{"ภาษา", "~ภา@0 ~าษ@1 ~ษา@2 .า@3"},
		{"привет Мир", "привет@0 мир@1"},
		{"a/b\\c|d", "a@0 b@1 c@2 d@3"},
		{"end.", "end@0"},
		{"\x00\x01\u200B", ""},
	} {
		if have := show(c.text); have != c.want {
			t.Errorf("Scan(%q):\nhave %s\nwant %s", c.text, have, c.want)
		}
	}
}

func TestScanBoundsTerms(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		strings.Repeat("x", 1000),
		strings.Repeat("é", 1000),
		strings.Repeat("aB", 1000),
		strings.Repeat("a-", 1000),
		strings.Repeat("界", 1000),
		"a" + strings.Repeat("\u0301", 1000),
		"界" + strings.Repeat("\u0E34", 1000),
	} {
		var s Scanner
		places := s.Scan(Clean(text), 0, func(token Token) {
			if len(token.Text) > MaxTerm || !utf8.Valid(token.Text) {
				t.Errorf("%.10q… has the term %q of %d bytes", text, token.Text, len(token.Text))
			}
		})
		if places > 1000 {
			t.Errorf("%.10q… has %d places", text, places)
		}
	}
}

func FuzzScan(f *testing.F) {
	for _, seed := range []string{"a-b.c'd's", "--no-cache", "Plain words (all), of: one. -v C++ End.", "HTTPServer2Go", "计算a属b", "C++#", "\xff\xfe", "1.2.3.4", "ﬁ’s"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = Clean(text)
		var s Scanner
		next := s.Scan(text, 7, func(token Token) {
			switch {
			case token.Start < 0 || token.Start >= token.End || token.End > len(text):
				t.Errorf("%q: %q stands at %d to %d", text, token.Text, token.Start, token.End)
			case len(token.Text) == 0 || len(token.Text) > MaxTerm || !utf8.Valid(token.Text):
				t.Errorf("%q: the term %q", text, token.Text)
			case token.Pos < 7 || token.Span < 1:
				t.Errorf("%q: %q has place %d and span %d", text, token.Text, token.Pos, token.Span)
			}
		})
		if next < 7 || next > 7+len(text) {
			t.Errorf("%q takes the places to %d", text, next)
		}
		if have, want := tokens((*Scanner).Scan, text), tokens((*Scanner).scanAllSlowly, text); !slices.Equal(have, want) {
			t.Errorf("Scan(%q):\nhave %s\nwant %s", text, have, want)
		}
	})
}

func BenchmarkScan(b *testing.B) {
	text := strings.Repeat("The agent runs beside your application and sends what it sees to a collector; use `--no-cache` or noCache. ", 40)
	var s Scanner
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		s.Scan(text, 0, func(Token) {})
	}
}
