// Package searchapi has the search over all pages, as JSON and as CSV. Package live has
// the index. Start with [Operations].
package searchapi

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/httpapi/rest"
	"github.com/octavo-docs/octavo/internal/jsonvalue"
	"github.com/octavo-docs/octavo/internal/search"
	"github.com/octavo-docs/octavo/internal/search/live"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// maxSearchWait is the maximum number of seconds that a search may wait for the index
// to have everything that was written before it.
const maxSearchWait = 10

// Operations are the operations on the index.
type Operations struct {
	Service  *live.Service
	Language func(context.Context) (string, error) // of the site
}

// Search returns the pages that match a text, best first.
func (o Operations) Search(r *rest.Request) (*rest.Response, error) {
	p := r.Params()
	q, err := o.searchQuery(r, p)
	if err != nil {
		return nil, err
	}
	list := searchList(q, r.Principal)
	q.After = cursor(p, list)
	format := p.OneOf("format", "json", "csv")
	if err := p.Faults.Err(); err != nil {
		return nil, err
	}
	if q.Explain && !r.Principal.Scopes.Allow(octavo.ScopeAdmin) {
		return nil, r.Lacks(octavo.ScopeAdmin, "explain is for administrators: it needs the scope %s.")
	}
	media, err := searchMedia(r, format)
	if err != nil {
		return nil, err
	}
	if err := o.awaitIndex(r); err != nil {
		return nil, err
	}
	ctx, span := r.Child(r.Context(), "search.find")
	found, err := o.Service.Search(ctx, r.Principal.Audience(), r.Principal.Tags, q)
	span.FailIf(err)
	span.End()
	if err != nil {
		return nil, err
	}
	results := searchResults(found)
	resp := rest.JSON(http.StatusOK, nil)
	if media == mediaCSV {
		resp.ContentType, resp.Body = csvType, searchCSV(results)
	} else {
		resp.Body = searchJSON(results)
	}
	if found.Next != nil {
		resp.Header = map[string]string{"Link": "<" + nextSearch(r, p, r.Cursor(list, cursorOf(found.Next))) + `>; rel="next"`}
	}
	return resp, nil
}

// searchMedia returns the form of the response: the parameter has precedence over
// Accept.
func searchMedia(r *rest.Request, format string) (string, error) {
	switch format {
	case "json":
		return rest.MediaJSON, nil
	case "csv":
		return mediaCSV, nil
	}
	return r.Negotiate(rest.MediaJSON, mediaCSV)
}

// searchQuery reads the search request.
func (o Operations) searchQuery(r *rest.Request, p *rest.Params) (search.Query, error) {
	q := search.Query{Limit: p.Limit()}
	text, ok := p.Get("q")
	if text == "" && (ok || !p.Has("q")) {
		p.Faults.Add("q", "must be a text to search for, with at least one character")
	}
	q.Text = text
	language := p.Language()
	q.Explain = p.OneOf("explain", "true", "false") == "true"
	p.JoinObject("filters", "tags")
	if text, ok := p.Get("filters"); ok {
		v, err := jsonvalue.Decode([]byte(text))
		var e *jsonvalue.Error
		switch {
		case errors.As(err, &e):
			p.Faults.Add("filters"+e.Pointer, "%s (column %d)", e.Message, e.Column)
		case err != nil:
			p.Faults.Merge(err)
		default:
			filters, err := octavo.DecodeSearchFilters(v, "filters", r.Strict())
			p.Faults.Merge(err)
			q.Tags = filters.Tags
			if language != "" && filters.Language != "" && language != filters.Language {
				p.Faults.Add("language", "must equal the language in filters")
			}
			language = cmp.Or(language, filters.Language)
			if filters.UpdatedAfter != nil {
				q.UpdatedAfter = *filters.UpdatedAfter
			}
		}
	}
	if language != "" {
		site, err := o.Language(r.Context())
		if err != nil {
			return q, err
		}
		if q.Languages = []string{language}; octavo.InLanguage(site, language) {
			q.Languages = append(q.Languages, "")
		}
	}
	return q, nil
}

// searchList identifies the results of a search, for its cursors.
func searchList(q search.Query, who octavo.Principal) string {
	var tags strings.Builder
	for _, tag := range q.Tags {
		tags.WriteString(strconv.Quote(tag))
	}
	tags.WriteString(";")
	for _, tag := range who.Tags {
		tags.WriteString(strconv.Quote(tag))
	}
	return strings.Join([]string{
		"search", strconv.Quote(q.Text), tags.String(), strings.Join(q.Languages, ","), q.UpdatedAfter.Format(time.RFC3339Nano), strconv.FormatBool(who.Audience().PublishedOnly),
	}, "\x01")
}

// cursor reads the cursor of a search.
func cursor(p *rest.Params, list string) *search.Place {
	m := p.Cursor(list)
	if m == nil {
		return nil
	}
	score, err := strconv.ParseFloat(m.Key, 64)
	if err != nil {
		p.Faults.Add("cursor", "is not a cursor of this search; start again without one")
		return nil
	}
	return &search.Place{Score: score, ID: string(m.ID)}
}

// cursorOf is a position as a cursor, with full precision.
func cursorOf(place *search.Place) sqldb.Cursor {
	return sqldb.Cursor{Key: strconv.FormatFloat(place.Score, 'g', -1, 64), ID: octavo.ID(place.ID)}
}

// nextSearch is the address of the next page of results, without the key.
func nextSearch(r *rest.Request, p *rest.Params, cursor string) string {
	values := url.Values{}
	for _, name := range []string{"q", "filters", "language", "limit", "format", "explain"} {
		if v, ok := p.Get(name); ok {
			values.Set(name, v)
		}
	}
	values.Set("cursor", cursor)
	return r.Self() + "?" + values.Encode()
}

// awaitIndex waits, if the request prefers that (RFC 7240 section 4.3), until the index
// has everything that was committed before.
func (o Operations) awaitIndex(r *rest.Request) error {
	text, ok := r.Preference("wait")
	seconds, err := strconv.Atoi(text)
	if !ok || err != nil || seconds < 0 {
		return nil
	}
	seconds = min(seconds, maxSearchWait)
	r.PreferenceApplied("wait=" + strconv.Itoa(seconds))
	ctx, cancel := context.WithTimeout(r.Context(), time.Duration(seconds)*time.Second)
	defer cancel()
	ctx, span := r.Child(ctx, "search.wait")
	defer span.End()
	if err := o.Service.Await(ctx); err != nil && ctx.Err() == nil {
		return err
	}
	return r.Context().Err() // after the time, the present results are used
}
