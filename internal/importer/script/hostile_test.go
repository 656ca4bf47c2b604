package script

import (
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// TestHostile: whatever a program is, reading it takes no more than a moment.
func TestHostile(t *testing.T) {
	const size = maxFile >> 4
	t.Parallel()
	for _, part := range []string{
		"import ", "const a ", "const a:", "function f() ", "function() ", "'", `'\`, `\'`, "`", "`${", "=/", "=/[", "/*", "(", "[", "{", "(a):", "[(a):", "a.", "a ", "...", "<a>",
		"export default [", "export default {a:", "export default (", "export default f(", "export default () => ", "const a = [...a];", "x => ", "{a,", "[,",
	} {
		for _, text := range []string{strings.Repeat(part, size/len(part)), "export default [" + strings.Repeat(part, size/len(part)-20)} {
			start := time.Now()
			if _, err := Read(fstest.MapFS{"x.js": {Data: []byte(text)}}, "x.js"); err != nil {
				t.Errorf("%q: %v", part, err)
			}
			if took := time.Since(start); took > 3*time.Second {
				t.Errorf("%q many times took %v", part, took)
			}
		}
	}
}
