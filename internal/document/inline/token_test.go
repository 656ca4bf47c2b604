package inline

import (
	"fmt"
	"strings"
	"testing"
)

func TestTokens(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text string
		want string // each token as kind and text
	}{
		{"a *b* **c** ~~d~~", "text(a ) em(*) text(b) /em(*) text( ) strong(*) spent(*) text(c) spent(*) /strong(*) text( ) del(~) spent(~) text(d) spent(~) /del(~)"},
		{"a\\*b &amp; &bogus;", "text(a) text(*b ) entity(&amp;) text( &bogus;)"},
		{"a  \nb\\\nc\n d", "text(a) hard(  \n) text(b) hard(\\\n) text(c) break(\n ) text(d)"},
		{"`` a ` b ``c", "code( a ` b ) text(c)"},
		{"[a](/b 'c') ![d](<e f>) [g]", "link([) text(a) /link(](/b 'c')) text( ) image(![) text(d) /image(](<e f>)) text( ) text([) text(g]) -> /b|c e f|"},
		{"[r] [s][r] [none][x]", "link([) text(r) /link(]) text( ) link([) text(s) /link(][r]) text( ) text([) text(none]) text([) text(x]) -> /r|R /r|R"},
		{"note[^1] [^2]", "text(note) footnote(1) text( ) text([) text(^2])"},
		{"<b>x</b> <!-- y --> <https://z.example> <m@z.example>", "tag(<b>) text(x) tag(</b>) text( ) comment(<!-- y -->) text( ) auto(https://z.example) text( ) auto(m@z.example)"},
		{"see www.a.example, b@c.example.", "text(see ) auto(www.a.example) text(, ) auto(b@c.example) text(.)"},
		{"$a_b_ \\{*c*\\}$ *d*", "text($a_b_ \\{*c*\\}$ ) em(*) text(d) /em(*)"},
		{"`a`{:.b} c{:.d}", "code(a) comment({:.b}) text( c) expr({:.d})"},
		{"x {1 + '}'} <A.b c={d} />", "text(x ) expr({1 + '}'}) text( ) tag(<A.b c={d} />)"},
	}
	for _, test := range tests {
		if have := dump(test.text); have != test.want {
			t.Errorf("tokens of %q:\nhave %s\nwant %s", test.text, have, test.want)
		}
	}
}

var names = [...]string{
	"text", "entity", "break", "hard", "code", "tag", "expr", "mark", "comment", "auto", "footnote",
	"link", "/link", "image", "/image", "em", "/em", "strong", "/strong", "del", "/del", "spent",
}

func dump(text string) string {
	scan := NewBudget(len(text))
	p := Tokenizer{
		MDX: true, Scan: &scan, References: NewReferences(len(text)),
		Footnote: func(label string) bool { return label == "1" },
	}
	p.References.Define("[R]: /r 'R'\n", &scan)
	var tokens []string
	for _, token := range p.Parse(text) {
		tokens = append(tokens, fmt.Sprintf("%s(%s)", names[token.Kind], text[token.Start:token.End]))
	}
	for i, to := range p.Targets {
		if i == 0 {
			tokens = append(tokens, "->")
		}
		tokens = append(tokens, to.Destination+"|"+to.Title)
	}
	return strings.Join(tokens, " ")
}

// TestEmphasisBesideWideCharacters checks that marks beside Chinese, Japanese and
// Korean text are no text themselves.
func TestEmphasisBesideWideCharacters(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"**重点（说明）**后面", "前面**（说明）重点**", "他说**“你好”**之后", "これは**「強調」**です。", "**注意：**内容", "**확인(필수)**은", "**링크 \"이름\"**을",
		"前*「語」*後", "~~（旧）~~新", "（_重点_）", "，_重点_。", "**`code`**是", "**重点。**ABC", "ABC**（重点）**", "**テスト！**次", "**한국어.**다음", "~~[旧](x)~~新",
	} {
		scan := NewBudget(len(text))
		p := Tokenizer{CJK: true, Scan: &scan, References: NewReferences(len(text))}
		for _, token := range p.Parse(text) {
			if piece := text[token.Start:token.End]; token.Kind == Plain && strings.ContainsAny(piece, "*_~") {
				t.Errorf("tokens of %q: have text %q", text, piece)
			}
		}
	}
	for _, text := range []string{"a**(b)**c", "中_文_字", "2 * 3 * 中"} { // as CommonMark says
		scan := NewBudget(len(text))
		p := Tokenizer{CJK: true, Scan: &scan, References: NewReferences(len(text))}
		for _, token := range p.Parse(text) {
			if token.Kind == Emphasis || token.Kind == Strong {
				t.Errorf("tokens of %q: have emphasis", text)
			}
		}
	}
}

func TestDefine(t *testing.T) {
	t.Parallel()
	tests := []struct{ text, rest, uses string }{
		{"[a]: /x\nrest", "rest", "a=/x|"},
		{"[a]: </x y> \"t\"\n[A]: /second\n", "", "a=/x y|t"},
		{"[a]:\n/x\n'two\nlines'\n", "", "a=/x|two\nlines"},
		{"[a]: /x 'open\nrest", "[a]: /x 'open\nrest", ""},
		{"[a]: /x junk\n", "[a]: /x junk\n", ""},
		{"[ ]: /x\n", "[ ]: /x\n", ""},
		{"[ẞ]: /x\n", "", "ss=/x|"},
	}
	for _, test := range tests {
		scan := NewBudget(len(test.text))
		r := NewReferences(len(test.text))
		rest := r.Define(test.text, &scan)
		var uses []string
		for label, to := range r.targets {
			uses = append(uses, label+"="+to.Destination+"|"+to.Title)
		}
		if have := strings.Join(uses, " "); rest != test.rest || have != test.uses {
			t.Errorf("Define(%q) leaves %q and knows %q; want %q and %q", test.text, rest, have, test.rest, test.uses)
		}
	}
}

func TestReferencesHaveRoom(t *testing.T) {
	t.Parallel()
	scan := NewBudget(0)
	r := NewReferences(0)
	r.Define("[a]: /"+strings.Repeat("x", minBudget/3), &scan)
	for use := 1; use <= 4; use++ {
		if _, found := r.use("a"); found != (use < 3) {
			t.Errorf("use %d of a destination of a third of the room: found %v", use, found)
		}
	}
}

// FuzzTokens checks that tokens stand in order within the text, and that what
// opens is closed.
func FuzzTokens(f *testing.F) {
	for _, text := range []string{"*a **b* c**", "[a](b", "![x][r]", "<a b='", "{`}", "a@b.c:", "[[[[]]]](", "``````", "&#0;&#x110000;", "[^1][^1]"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		scan := NewBudget(len(text))
		p := Tokenizer{MDX: true, Scan: &scan, References: NewReferences(len(text))}
		end, open := int32(0), []Kind(nil)
		for _, token := range p.Parse(text) {
			if token.Start < end || token.End < token.Start || int(token.End) > len(text) {
				t.Fatalf("tokens of %q: %+v follows one that ends at %d", text, token, end)
			}
			end = token.End
			switch token.Kind {
			case Link, Image, Emphasis, Strong, Deleted:
				open = append(open, token.Kind)
			case LinkEnd, ImageEnd, EmphasisEnd, StrongEnd, DeletedEnd:
				if len(open) == 0 || open[len(open)-1] != token.Kind-1 {
					t.Fatalf("tokens of %q do not pair up", text)
				}
				open = open[:len(open)-1]
			}
		}
		if len(open) > 0 {
			t.Fatalf("tokens of %q are left open", text)
		}
	})
}
