package relevance

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/octavo-docs/octavo/bench/internal/served"
)

// askOctavo searches over HTTP, with a token.
func askOctavo(ctx context.Context, j job) ([]answer, error) {
	answers := make([]answer, len(j.Queries))
	for i, q := range j.Queries {
		began := time.Now()
		text, err := get(ctx, j.server, fmt.Sprintf("/v1/search?limit=%d&q=%s", depth, url.QueryEscape(q)))
		if err != nil {
			return nil, err
		}
		answers[i].Milliseconds = milliseconds(began)
		var results []struct{ ID string }
		if err := json.Unmarshal(text, &results); err != nil {
			return nil, fmt.Errorf("read the answer to %q: %w", q, err)
		}
		for _, r := range results {
			answers[i].Paths = append(answers[i].Paths, j.server.Files[r.ID])
		}
	}
	return answers, nil
}

// get asks until the index is complete: until then the answer is 503.
func get(ctx context.Context, server *served.Server, path string) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+path, nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+server.Token)
	for deadline := time.Now().Add(time.Minute); ; {
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			return nil, err
		}
		text, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close() // it has been read
		switch {
		case err != nil:
			return nil, fmt.Errorf("get %s: %w", path, err)
		case resp.StatusCode == http.StatusOK:
			return text, nil
		case resp.StatusCode != http.StatusServiceUnavailable || time.Now().After(deadline):
			return nil, fmt.Errorf("get %s: status %d: %.300s", path, resp.StatusCode, text)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func milliseconds(since time.Time) float64 { return float64(time.Since(since).Microseconds()) / 1000 }
