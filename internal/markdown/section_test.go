package markdown

import (
	"fmt"
	"testing"

	"github.com/octavo-docs/octavo/internal/document"
)

func TestSections(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{
		"intro\n\n# A\n\na *b*\n\n| c | d |\n|---|---|\n| e | f |\n\n```go\ncode()\n```\n\n### B\n\n## C\n\n#\n\n# D\n": `"intro""";A"a b\nc · d\ne · f""code()\n";B"""";C"""";"""";D"""";`,
		"# A\n\n:::tip T\nb\n\n- c\n:::\n\n```go title=\"d\"\ne\n```\n":                                                 `A"T\nb\nc\nd""e\n";`,
	} {
		have := ""
		for _, s := range Sections(document.Parse(content, document.Options{})) {
			if s.Heading != nil {
				have += s.Heading.Text
			}
			have += fmt.Sprintf("%q%q;", s.Text, s.Code)
		}
		if have != want {
			t.Errorf("Sections of %q: have %s, want %s", content, have, want)
		}
	}
}
