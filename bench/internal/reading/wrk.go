package reading

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"

	"github.com/octavo-docs/octavo/bench/internal/figure"
	"github.com/octavo-docs/octavo/bench/internal/proc"
	"github.com/octavo-docs/octavo/bench/internal/served"
)

// How wrk loads the server: a generator outside of this process, in one thread.
const (
	connections = "16"
	rounds      = 3
)

// load asks for one page again and again: as JSON, as a page for people, and as one
// that has not changed. The page has 80 entries of navigation.
func (s Settings) load(ctx context.Context, server *served.Server, list *figure.List) error {
	id := ""
	for page, path := range server.Files {
		if path == "small/page-040.md" {
			id = page
		}
	}
	page := server.URL + "/docs/small-page-040"
	tag, err := tagOf(ctx, page)
	if err != nil {
		return err
	}
	browser := []string{"Accept: text/html", "Accept-Encoding: gzip"}
	turns, seconds := rounds, "5s"
	if s.Short {
		turns, seconds = 1, "1s"
	}
	for range turns {
		for _, c := range []struct {
			name, address string
			headers       []string
		}{
			{figure.PageJSON, server.URL + "/v1/pages/" + id, []string{"Authorization: Bearer " + server.Token, "Accept-Encoding: gzip"}},
			{figure.WarmPage, page, browser},
			{figure.Unchanged, page, append(browser, "If-None-Match: "+tag)},
		} {
			if err := wrk(ctx, server, list, c.name, seconds, c.address, c.headers); err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
		}
	}
	return nil
}

// tagOf returns the entity tag of a page as browsers get it.
func tagOf(ctx context.Context, address string) (string, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return "", err
	}
	r.Header.Set("Accept", "text/html")
	r.Header.Set("Accept-Encoding", "gzip")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return "", err
	}
	_, err = drain(answer)
	return answer.Header.Get("ETag"), err
}

func drain(answer *http.Response) (int64, error) {
	size, err := io.Copy(io.Discard, answer.Body)
	return size, errors.Join(err, answer.Body.Close())
}

// What wrk prints.
var (
	wrkRate   = regexp.MustCompile(`Requests/sec:\s+([\d.]+)`)
	wrkTotal  = regexp.MustCompile(`(\d+) requests in`)
	wrkTail   = regexp.MustCompile(`99%\s+([\d.]+)(us|ms|s)`)
	wrkFailed = regexp.MustCompile(`Non-2xx or 3xx responses: \d+|Socket errors:.*`)
)

// wrk loads the server with one request.
func wrk(ctx context.Context, server *served.Server, list *figure.List, name, seconds, address string, headers []string) error {
	args := []string{"-t1", "-c" + connections, "-d" + seconds, "--latency"}
	for _, h := range headers {
		args = append(args, "-H", h)
	}
	before, err := server.Usage()
	if err != nil {
		return err
	}
	text, err := proc.Output(ctx, "wrk", append(args, address)...)
	if err != nil {
		return err
	}
	after, err := server.Usage()
	if err != nil {
		return err
	}
	if failed := wrkFailed.FindString(text); failed != "" {
		return errors.New(failed)
	}
	rate, total, tail := wrkRate.FindStringSubmatch(text), wrkTotal.FindStringSubmatch(text), wrkTail.FindStringSubmatch(text)
	if rate == nil || total == nil || tail == nil {
		return fmt.Errorf("wrk said %q", text)
	}
	number := func(s string) float64 {
		n, err := strconv.ParseFloat(s, 64)
		if err != nil {
			panic(err) // the expressions match numbers alone
		}
		return n
	}
	list.Add(figure.Octavo, name, figure.Rate, number(rate[1]))
	list.Add(figure.Octavo, name, figure.CPUEach, 1e6*(after.CPU-before.CPU)/number(total[1]))
	list.Add(figure.Octavo, name, figure.Tail, number(tail[1])*map[string]float64{"us": .001, "ms": 1, "s": 1000}[tail[2]])
	return nil
}
