package fuzztest

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/testenv"
)

// What decides how long and with what the tests run.
var (
	seed = flag.Uint64("seed", 1, "what all choices are drawn from")
	long = flag.Duration("for", 0, "how long sequences are drawn on each database; 0 is a few on SQLite alone")
)

// Length of a sequence, which begins on an empty server, and number of sequences in the
// short form.
const (
	length = 250
	short  = 12
)

// TestMain checks that tests leave no goroutines, except the clock of the lexers.
func TestMain(m *testing.M) {
	flag.Parse()
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/dlclark/regexp2/v2.runClock"))
}

// In any sequence of requests by any callers, responses match the document, nobody exceeds
// their access, and reads return what was answered.
func TestSequences(t *testing.T) {
	d, err := readDocument()
	if err != nil {
		t.Fatal(err)
	}
	databases := map[string]func(testing.TB) octavotest.Options{
		"sqlite": func(testing.TB) octavotest.Options { return octavotest.Options{} },
	}
	if *long > 0 {
		databases["postgres"] = func(t testing.TB) octavotest.Options { return octavotest.Options{PostgresURL: testenv.Postgres(t)} }
	}
	for name, options := range databases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			start, answers, good, lates, sequences := time.Now(), 0, 0, 0, 0
			for n := uint64(0); n < short || time.Since(start) < *long; n++ {
				if *long > 0 && time.Since(start) >= *long {
					break
				}
				t.Run(fmt.Sprint(n), func(t *testing.T) {
					p := newPlay(t, options(t))
					fail := p.run(d, n)
					answers, good, lates, sequences = answers+p.answers, good+p.good, lates+p.lates, sequences+1
					if fail != nil {
						fail.report(t, options)
					}
				})
				if t.Failed() {
					break
				}
			}
			if good < answers/4 {
				t.Errorf("%d of %d requests succeeded, want a quarter at least", good, answers)
			}
			if lates > 10+answers/1000 {
				t.Errorf("%d of %d requests had no time, want next to none", lates, answers)
			}
			t.Logf("seed %d: %d sequences, %d requests, %d with success, %d had no time, %s", *seed, sequences, answers, good, lates, time.Since(start).Round(time.Second))
		})
	}
}

// failure is a sequence that ends with a broken rule.
type failure struct {
	requests []request
	captures []capture
	broken   []string
}

// kind identifies a failure while it is shortened.
func (f *failure) kind() string {
	kind, _, _ := strings.Cut(f.broken[0], ":")
	return kind + " " + f.requests[len(f.requests)-1].op.ID
}

// run generates and runs a sequence, and returns its failure, if any.
func (p *play) run(d *document, n uint64) *failure {
	g := &generator{Rand: rand.New(rand.NewPCG(*seed, n)), d: d, known: p.known, proposals: n%3 == 2}
	var sent []request
	for i := range length {
		r := g.draw(i)
		if len(sent) > 0 && sent[len(sent)-1].header["Idempotency-Key"] != "" && g.chance(40) {
			r = sent[len(sent)-1]
			r.number, r.again = i, true
		}
		broken, res := p.step(r)
		if res != nil {
			sent = append(sent, r)
		}
		if len(broken) > 0 {
			return &failure{sent, p.known.all, broken}
		}
	}
	return nil
}

// replay runs requests on a new server and returns their failure.
func (f *failure) replay(p *play, requests []request) *failure {
	var sent []request
	for _, r := range requests {
		broken, res := p.step(r)
		if res == nil {
			continue
		}
		sent = append(sent, r)
		for _, c := range f.captures {
			if c.step == r.number {
				if value, ok := c.find(res); ok {
					p.values[c.name] = value
				}
			}
		}
		if len(broken) > 0 {
			return &failure{sent, f.captures, broken}
		}
	}
	return nil
}

// Maximum number of replays for one failure.
const replays = 80

// report shortens a failure and prints it.
func (f *failure) report(t *testing.T, options func(testing.TB) octavotest.Options) {
	left := replays
	for size := len(f.requests) / 2; size > 0 && left > 0; size /= 2 {
		for at := 0; at+size < len(f.requests) && left > 0; left-- {
			fewer := slices.Delete(slices.Clone(f.requests), at, at+size)
			var found *failure
			t.Run("replay", func(t *testing.T) { found = f.replay(newPlay(t, options(t)), fewer) })
			if found != nil && found.kind() == f.kind() {
				f = found
			} else {
				at += size
			}
		}
	}
	var b strings.Builder
	for _, r := range f.requests {
		fmt.Fprintf(&b, "\n# request %d\n%s", r.number, r)
		for _, c := range f.captures {
			if c.step == r.number && strings.Contains(fmt.Sprint(f.requests), "${"+c.name+"}") {
				fmt.Fprintf(&b, "capture %s %s\n", c.name, c.from)
			}
		}
	}
	t.Errorf("seed %d:\n%s\n%s", *seed, &b, strings.Join(f.broken, "\n"))
}
