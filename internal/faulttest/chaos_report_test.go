package faulttest

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// router is a transport that sends each request to one of the processes, like a load
// balancer without sticky sessions, and counts the responses.
type router struct {
	nodes     []*node
	transport *http.Transport
	report    *chaosReport

	mu  sync.Mutex
	rng *rand.Rand
}

func newRouter(t testing.TB, nodes []*node, report *chaosReport) *router {
	r := &router{nodes: nodes, transport: &http.Transport{MaxIdleConnsPerHost: 16, DisableCompression: true}, report: report, rng: chance(20<<16 + 1)}
	t.Cleanup(r.transport.CloseIdleConnections)
	return r
}

var errNoNode = errors.New("no process is up")

func (r *router) RoundTrip(req *http.Request) (*http.Response, error) {
	address := ""
	r.mu.Lock()
	for _, i := range r.rng.Perm(len(r.nodes)) {
		if up := r.nodes[i].address.Load(); up != nil {
			address = *up
			break
		}
	}
	r.mu.Unlock()
	if address == "" {
		r.report.count(req, "no process")
		return nil, errNoNode
	}
	there := req.Clone(req.Context())
	there.URL.Scheme, there.URL.Host, there.Host = "http", address, ""
	res, err := r.transport.RoundTrip(there)
	if err != nil {
		r.report.count(req, "no answer")
		return nil, err
	}
	r.report.count(req, fmt.Sprint(res.StatusCode))
	return res, nil
}

// chaosReport is the report of a run.
type chaosReport struct {
	begun    time.Time
	searched atomic.Int64 // searches whose results were judged

	mu     sync.Mutex
	faults []string
	counts map[string]map[string]int // of answers, by kind and answer
	checks []string
}

func (r *chaosReport) count(req *http.Request, how string) {
	kind := req.Method + " "
	for i, part := range strings.Split(strings.TrimPrefix(req.URL.Path, "/v1"), "/")[1:] {
		if i > 0 && part != "bulk" && part != "by-slug" && part != "restore" && part != "download" {
			part = "…"
		}
		kind += "/" + part
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.counts[kind] == nil {
		r.counts[kind] = map[string]int{}
	}
	r.counts[kind][how]++
}

// fault records the start of a fault.
func (r *chaosReport) fault(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.faults = append(r.faults, fmt.Sprintf("%8.3f s  ", time.Since(r.begun).Seconds())+fmt.Sprintf(format, args...))
}

// mended records the duration of a fault, and the time until writes succeeded again.
func (r *chaosReport) mended(took, then time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.faults[len(r.faults)-1] += fmt.Sprintf(" [%.1f s, then %.1f s to some writes]", took.Seconds(), then.Seconds())
}

// held records a check with the number of checked items.
func (r *chaosReport) held(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.checks = append(r.checks, fmt.Sprintf(format, args...))
}

// text formats the report.
func (r *chaosReport) text(failed bool) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var b strings.Builder
	fmt.Fprintf(&b, "chaos, seed %d: three processes on PostgreSQL and S3, faults for %s, all in all %s\n\nfaults\n", *seed, *chaosTime, time.Since(r.begun).Round(time.Millisecond))
	for _, line := range r.faults {
		fmt.Fprintf(&b, "  %s\n", line)
	}
	fmt.Fprint(&b, "\nrequests by kind and answer\n")
	total := 0
	for _, kind := range slices.Sorted(maps.Keys(r.counts)) {
		fmt.Fprintf(&b, "  %-32s", kind)
		for _, how := range slices.Sorted(maps.Keys(r.counts[kind])) {
			fmt.Fprintf(&b, "  %s: %d", how, r.counts[kind][how])
			total += r.counts[kind][how]
		}
		fmt.Fprintln(&b)
	}
	fmt.Fprintf(&b, "  in all %d\n\nchecked\n", total)
	for _, line := range r.checks {
		fmt.Fprintf(&b, "  %s\n", line)
	}
	verdict := "every promise was kept"
	if failed {
		verdict = "BROKEN, see the log of the test"
	}
	fmt.Fprintf(&b, "\nverdict: %s\n", verdict)
	return b.String()
}

// tell logs the report, and writes it to the file of the flag -report.
func (r *chaosReport) tell(t testing.TB) {
	text := r.text(t.Failed())
	t.Log(text)
	if *chaosFile == "" {
		return
	}
	if err := os.WriteFile(*chaosFile, []byte(text), 0o644); err != nil {
		t.Error(err)
	}
}
