package octavo

import "testing"

func TestLanguage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ frontmatter, want string }{
		{"", ""},
		{`{"title":"x"}`, ""},
		{`{"lang":"de-AT"}`, "de-AT"},
		{`{"language":"zh"}`, "zh"},
		{`{"lang":7,"language":"fr"}`, "fr"},
		{`{"lang":"x"}`, ""},
		{`{"lang":"en\" onload=\"x"}`, ""},
		{`{"lang":"abcdefghi"}`, ""},
		{`{"lang":"en-"}`, ""},
	} {
		if have := Language([]byte(c.frontmatter)); have != c.want {
			t.Errorf("Language(%s): have %q, want %q", c.frontmatter, have, c.want)
		}
	}
}

func TestFrontText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ frontmatter, want string }{
		{"", ""},
		{`{"title":"x"}`, ""},
		{`{"description":"What it is."}`, "What it is."},
		{`{"description":["What it is."]}`, ""},
		{`{"description":null}`, ""},
		{`{"x":{"description":"deeper"}}`, ""},
		{`{"description":"cut`, ""},
	} {
		if have := FrontText([]byte(c.frontmatter), "description"); have != c.want {
			t.Errorf("FrontText(%s): have %q, want %q", c.frontmatter, have, c.want)
		}
	}
}
