package faulttest

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// Flags for the duration and the random seed of the tests.
var (
	seed       = flag.Uint64("seed", 1, "what all choices are drawn from")
	rounds     = flag.Int("rounds", 2, "how often the server is killed on each database")
	syncPoints = flag.Int("points", 4, "how often the server is killed as it enters a sync or a write")
	losses     = flag.Int("losses", 10, "how often the power goes")
	outages    = flag.Int("outages", 1, "how often PostgreSQL is stopped")
	cuts       = flag.Int("cuts", 15, "how many connections to PostgreSQL are cut")
	mix        = flag.Duration("mix", 3*time.Second, "how long clients work at random on each database")
	chaosTime  = flag.Duration("chaos", 8*time.Second, "how long three processes are broken in all ways at once")
	chaosFile  = flag.String("report", "", "the file that the report of the chaos is written to")
	soak       = flag.Duration("soak", 30*time.Second, "how long a steady load must leave a server as it is")
	idle       = flag.Int("idle", 2000, "how many connections are idle")
	wait       = flag.Bool("wait", false, "wait for time limits of a minute and more")
)

// program is the path of the program under test, which TestMain builds.
var program string

func TestMain(m *testing.M) {
	flag.Parse()
	dir, err := os.MkdirTemp("", "octavo-faulttest-*")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	end := func(code int) {
		_ = os.RemoveAll(dir) // the temporary folder is cleaned anyway
		os.Exit(code)
	}
	program = filepath.Join(dir, "octavo")
	if out, err := exec.Command("go", "build", "-o", program, "../../cmd/octavo").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build the program: %v\n%s", err, out)
		end(1)
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(end))
}

// chance returns the source of choices for one part of a test. Parts have
// numbers of their own, so that what one draws changes nothing for the others.
func chance(part uint64) *rand.Rand { return rand.New(rand.NewPCG(*seed, part)) }
