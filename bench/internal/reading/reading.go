// Package reading measures the site for readers: pages under load beside the same
// page as JSON, pages that are made for the first time, searches, and what a person
// waits for in a browser.
package reading

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/octavo-docs/octavo/bench/internal/corpus"
	"github.com/octavo-docs/octavo/bench/internal/figure"
	"github.com/octavo-docs/octavo/bench/internal/served"
	"github.com/octavo-docs/octavo/bench/internal/target"
)

// Settings say what is measured, and where.
type Settings struct {
	Program string // octavo
	Folder  string // for data
	Short   bool
}

// How much is asked for.
const (
	entries   = 80     // of the navigation
	longPages = 200    // of 20 kB
	longSize  = 20_000 // bytes
	manyPages = 16_700
	searches  = 500
	published = 50
)

// Measure measures all. What could not be measured is in the error.
func (s Settings) Measure(ctx context.Context) (list figure.List, err error) {
	folder := filepath.Join(s.Folder, "reading")
	if err := errors.Join(os.RemoveAll(folder), write(filepath.Join(folder, "tree", "small"), entries, 0), write(filepath.Join(folder, "tree", "long"), longPages, longSize)); err != nil {
		return nil, err
	}
	server, err := served.Start(ctx, s.Program, filepath.Join(folder, "data"), filepath.Join(folder, "tree"), "--site", "public", "--site-rate-limit", "0")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, server.Stop()) }()
	return list, errors.Join(
		s.load(ctx, server, &list), cold(ctx, server, &list), visible(ctx, figure.Published, server.URL, server.URL, server.Token, &list), s.elsewhere(ctx, filepath.Join(folder, "postgres"), &list), s.browse(ctx, server, &list), s.search(ctx, filepath.Join(folder, "many"), &list))
}

// write writes a folder of pages, each of so many bytes at least.
func write(folder string, pages, size int) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	var failed error
	next := uint64(0)
	for i := range pages {
		text := ""
		for {
			text += corpus.Of(next).Content
			next++
			if len(text) >= size {
				break
			}
			text = strings.Replace(text, "\n# ", "\n## ", 1)
		}
		failed = errors.Join(failed, os.WriteFile(filepath.Join(folder, fmt.Sprintf("page-%03d.md", i)), []byte(text), 0o644)) //nolint:gosec // for everyone to read
	}
	return failed
}

// ask returns how long a request took that a browser sends.
func ask(ctx context.Context, address string) (time.Duration, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return 0, err
	}
	r.Header.Set("Accept", "text/html")
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	began := time.Now()
	answer, err := client.Do(r)
	if err != nil {
		return 0, err
	}
	size, err := drain(answer)
	if err == nil && (answer.StatusCode != http.StatusOK || size == 0) {
		err = fmt.Errorf("%s: %s with %d bytes", address, answer.Status, size)
	}
	return time.Since(began), err
}

// cold asks for each of the long pages once.
func cold(ctx context.Context, server *served.Server, list *figure.List) error {
	var took []time.Duration
	for i := 1; i < longPages; i++ { // the first is the home page
		each, err := ask(ctx, fmt.Sprintf("%s/docs/long-page-%03d", server.URL, i))
		if err != nil {
			return fmt.Errorf("%s: %w", figure.Cold, err)
		}
		took = append(took, each)
	}
	spread(list, figure.Cold, took)
	return nil
}

// spread adds the middle and the worst of some times.
func spread(list *figure.List, name string, took []time.Duration) {
	slices.Sort(took)
	at := func(share float64) float64 { return took[int(share*float64(len(took)-1))].Seconds() * 1000 }
	list.Add(figure.Octavo, name, figure.Middle, at(.5))
	list.Add(figure.Octavo, name, figure.Tail, at(.99))
}

// search asks for pages of results where there are many pages.
func (s Settings) search(ctx context.Context, data string, list *figure.List) (err error) {
	pages := manyPages
	if s.Short {
		pages /= 20
	}
	filled, err := served.Start(ctx, s.Program, data, data+"-empty")
	if err != nil {
		return err
	}
	if err := errors.Join(target.FillOctavo(ctx, filled.URL, filled.Token, 0, pages, func(int) {}), filled.Stop()); err != nil {
		return err
	}
	server, err := s.serve(ctx, data+"-again.log", "--data", data) // whose index has nothing to do any more
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Stop()) }()
	var took []time.Duration
	for i := range searches {
		words := strings.Fields(corpus.Of(uint64(i * 7 % pages)).Title)
		each, err := ask(ctx, server.Ready[0]+"/docs/-/search?q="+url.QueryEscape(strings.Join(words[:1+i%min(3, len(words))], " ")))
		if err != nil {
			return fmt.Errorf("%s: %w", figure.SearchPage, err)
		}
		took = append(took, each)
	}
	spread(list, figure.SearchPage, took)
	return nil
}
