package docs_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/docs"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/octavotest"
)

// example is a block of shell commands, and what the text below it says that
// they print: a word, or all of it as JSON, where that follows at once or after
// "The answer is".
type example struct{ commands, prints, json string }

// examplesOf returns the runnable blocks of a page: those marked sh.
func examplesOf(page string) []example {
	var list []example
	block := regexp.MustCompile("(?ms)^```sh\n(.*?)^```\n+([^\n`]*)(?:\n*```json\n(.*?)^```)?")
	prints := regexp.MustCompile(`^This prints (\S+?)[:.,]`)
	for _, m := range block.FindAllStringSubmatch(page, -1) {
		e := example{commands: m[1]}
		if m[2] == "" || strings.HasPrefix(m[2], "The answer is ") {
			e.json = m[3]
		}
		if p := prints.FindStringSubmatch(m[2]); p != nil {
			e.prints = p[1]
		}
		list = append(list, e)
	}
	return list
}

// TestExamplesRun pastes the examples of each page into one shell, against a
// server of its own, as a reader would.
func TestExamplesRun(t *testing.T) {
	pages, err := fs.Glob(docs.Files(), "*/*.md")
	if err != nil {
		t.Fatal(err)
	}
	top, err := fs.Glob(docs.Files(), "*.md")
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, name := range append(pages, top...) {
		text, err := fs.ReadFile(docs.Files(), name)
		if err != nil {
			t.Fatal(err)
		}
		examples := examplesOf(string(text))
		if len(examples) == 0 {
			continue
		}
		count += len(examples)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runExamples(t, examples)
		})
	}
	if count < 20 {
		t.Errorf("have %d runnable examples, want at least 20: are blocks still marked sh?", count)
	}
}

func runExamples(t *testing.T, examples []example) {
	s := octavotest.Start(t, octavotest.Options{RateLimit: 600, Search: true, Export: true, Deliver: true})
	const mark = "--- end of example ---"
	var script bytes.Buffer
	for _, e := range examples {
		script.WriteString(e.commands + "\necho; echo '" + mark + "'\n")
	}
	cmd := exec.CommandContext(t.Context(), "bash", "-euo", "pipefail", "-s")
	cmd.Stdin, cmd.Dir = &script, t.TempDir() // for what they write
	cmd.Env = append(
		os.Environ(), "OCTAVO_URL="+s.URL,
		"OCTAVO_TOKEN="+s.Token(t, auth.Grant{Scopes: octavo.ScopeWrite}), "OCTAVO_PROPOSER="+s.Token(t, auth.Grant{Scopes: octavo.ScopePropose, Subject: "ann"}),
		"OCTAVO_ADMIN="+s.Token(t, auth.Grant{Scopes: octavo.ScopeAdmin, Subject: "admin"}), "OCTAVO_KEY="+s.Key(t, auth.KeyRequest{Scopes: octavo.ScopeRead}),
	)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	printed := strings.Split(stdout.String(), mark)
	if err != nil {
		failed := examples[min(len(printed), len(examples))-1]
		t.Fatalf("%v\n%s\n%s%s", err, failed.commands, printed[len(printed)-1], stderr.String())
	}
	for i, e := range examples {
		if !strings.Contains(printed[i], e.prints) {
			t.Errorf("%s\nhave %s\nwant %s", e.commands, printed[i], e.prints)
		}
		if e.json == "" {
			continue
		}
		if have, want := shown(t, printed[i]), shown(t, e.json); !reflect.DeepEqual(have, want) {
			t.Errorf("%s\nhave %v\nwant %v", e.commands, have, want)
		}
	}
}

// passing is what is another in each run: identifiers and times.
var passing = regexp.MustCompile(`[a-z]+_[0-9a-hjkmnp-tv-z]{26}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`)

// shown reads JSON as a page shows it: without what passes, and with numbers of
// two digits.
func shown(t *testing.T, text string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(passing.ReplaceAllString(text, "…")), &v); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return rounded(v)
}

func rounded(v any) any {
	switch v := v.(type) {
	case float64:
		return math.Round(v*100) / 100
	case []any:
		for i := range v {
			v[i] = rounded(v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = rounded(v[name])
		}
	}
	return v
}
