package target

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/octavo-docs/octavo/bench/internal/corpus"
)

// Limits of filling: a bulk request stays below the server's 2 MiB.
const (
	bulkPages  = 400
	bulkAtOnce = 4
)

// client is for everything that is not measured.
func client() *http.Client { return &http.Client{Timeout: 2 * time.Minute} }

// Ask sends one request that is not measured and returns the body and the
// header of a 2xx; any other answer is an error.
func Ask(ctx context.Context, method, address, token string, body []byte) ([]byte, http.Header, error) {
	r, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return nil, nil, err
	}
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Accept-Encoding", "identity")
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	answer, err := client().Do(r)
	if err != nil {
		return nil, nil, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, nil, fmt.Errorf("%s %s: %w", method, address, err)
	}
	if answer.StatusCode > 299 {
		return nil, nil, fmt.Errorf("%s %s: status %d: %.300s", method, address, answer.StatusCode, text)
	}
	return text, answer.Header, nil
}

// FillOctavo creates pages from to below to in the order of their numbers, as
// far as that goes with several requests under way.
func FillOctavo(ctx context.Context, base, token string, from, to int, progress func(done int)) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(bulkAtOnce)
	for at := from; at < to && ctx.Err() == nil; at += bulkPages {
		end := min(at+bulkPages, to)
		group.Go(func() error {
			if err := bulk(ctx, base, token, at, end); err != nil {
				return fmt.Errorf("create pages %d to %d: %w", at, end, err)
			}
			progress(end - at)
			return nil
		})
	}
	return group.Wait()
}

// bulk creates some pages in one transaction.
func bulk(ctx context.Context, base, token string, from, to int) error {
	body := []byte(`{"atomic":true,"operations":[`)
	for n := from; n < to; n++ {
		if n > from {
			body = append(body, ',')
		}
		body = append(body, `{"op":"create","page":`...)
		body = append(append(body, corpus.Of(uint64(n)).JSON()...), '}')
	}
	text, _, err := Ask(ctx, http.MethodPost, base+"/v1/pages/bulk", token, append(body, `]}`...))
	if err != nil {
		return err
	}
	var answer struct {
		Results []struct {
			Status  int             `json:"status"`
			Problem json.RawMessage `json:"problem"`
		} `json:"results"`
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		return err
	}
	if len(answer.Results) != to-from {
		return fmt.Errorf("have %d results, want %d", len(answer.Results), to-from)
	}
	for i, r := range answer.Results {
		if r.Status != http.StatusCreated {
			return fmt.Errorf("page %d: status %d: %s", from+i, r.Status, r.Problem)
		}
	}
	return nil
}

// Octavo finds out what an Octavo at base holds, by walking through all its
// lists.
func Octavo(ctx context.Context, base, token string) (*API, error) {
	const path = "/v1/pages"
	a := &API{Name: "octavo", Host: strings.TrimPrefix(base, "http://"), Token: token, Create: path}
	limit := fmt.Sprintf("?limit=%d", ListLimit)
	cursor := ""
	for more := true; more; {
		at := ""
		if cursor != "" {
			at = "&cursor=" + url.QueryEscape(cursor)
		}
		text, _, err := Ask(ctx, http.MethodGet, base+path+"?limit=100"+at, token, nil)
		if err != nil {
			return nil, fmt.Errorf("walk through the pages: %w", err)
		}
		var list struct {
			Data []struct {
				ID string `json:"id"`
			} `json:"data"`
			Pagination struct {
				Cursor string `json:"cursor"`
			} `json:"pagination"`
		}
		if err := json.Unmarshal(text, &list); err != nil {
			return nil, fmt.Errorf("walk through the pages: %w", err)
		}
		for _, page := range list.Data {
			a.Pages = append(a.Pages, path+"/"+page.ID)
		}
		if len(list.Data) >= ListLimit { // a full list can start here
			a.Lists = append(a.Lists, path+limit+at)
		}
		cursor = list.Pagination.Cursor
		more = cursor != ""
	}
	if len(a.Lists) == 0 {
		return nil, fmt.Errorf("%s holds %d pages, too few for a list", base, len(a.Pages))
	}
	a.Pages = shuffled(a.Pages)
	a.Filtered = map[string]string{
		"status":     path + limit + "&status=published",
		"tag":        path + limit + "&tag=" + corpus.Tag(3),
		"root":       path + limit + "&parentId=root",
		"tag+status": path + limit + "&status=draft&tag=" + corpus.Tag(3),
		"newest":     path + limit + "&sort=-createdAt",
		"updated":    path + limit + "&sort=-updatedAt",
		"title":      path + limit + "&sort=title",
		"rare slug":  path + limit + "&slug=page-7",
	}
	return a, nil
}
