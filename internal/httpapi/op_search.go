package httpapi

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/jsonvalue"
	"github.com/octavo-docs/octavo/internal/search"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/tracing"
)

// maxSearchWait is how many seconds a search waits at most for the index to
// have all that was written before it, where that is asked for.
const maxSearchWait = 10

// search answers with the pages that match a text, best first.
func (a *API) search(r *request) (*response, error) {
	p := readParams(r)
	q := p.searchQuery(r)
	list := searchList(q, r.principal)
	q.After = p.place(a.cursors, list)
	format := p.oneOf("format", "json", "csv")
	if err := p.faults.Err(); err != nil {
		return nil, err
	}
	if q.Explain && !r.principal.Scopes.Allow(octavo.ScopeAdmin) {
		return nil, r.lacks(octavo.ScopeAdmin, "explain is for administrators: it needs the scope %s.")
	}
	media, err := searchMedia(r, format)
	if err != nil {
		return nil, err
	}
	if err := a.awaitIndex(r); err != nil {
		return nil, err
	}
	ctx, span := a.Trace.Child(r.Context(), "search.find", tracing.Internal)
	found, err := a.Search.Search(ctx, r.principal.Audience(), r.principal.Tags, q)
	span.FailIf(err)
	span.End()
	if err != nil {
		return nil, err
	}
	results := searchResults(found)
	resp := jsonResponse(http.StatusOK, nil)
	if media == mediaCSV {
		resp.contentType, resp.body = csvType, searchCSV(results)
	} else {
		resp.body = searchJSON(results)
	}
	if found.Next != nil {
		resp.header = map[string]string{"Link": "<" + a.nextSearch(r, p, a.cursors.encode(list, markOf(found.Next))) + `>; rel="next"`}
	}
	return resp, nil
}

// searchMedia returns the form of the answer: the parameter counts before what
// is accepted.
func searchMedia(r *request, format string) (string, error) {
	switch format {
	case "json":
		return mediaJSON, nil
	case "csv":
		return mediaCSV, nil
	}
	return negotiate(r, mediaJSON, mediaCSV)
}

// searchQuery reads what is searched.
func (p *params) searchQuery(r *request) search.Query {
	q := search.Query{Limit: p.limit()}
	text, ok := p.get("q")
	if text == "" && (ok || len(p.values["q"]) == 0) {
		p.faults.Add("q", "must be a text to look for, of one character at least")
	}
	q.Text = text
	q.Explain = p.oneOf("explain", "true", "false") == "true"
	if text, ok := p.get("filters"); ok {
		v, err := jsonvalue.Decode([]byte(text))
		var e *jsonvalue.Error
		switch {
		case errors.As(err, &e):
			p.faults.Add("filters"+e.Pointer, "%s (column %d)", e.Message, e.Column)
		case err != nil:
			p.faults.Merge(err)
		default:
			filters, err := octavo.DecodeSearchFilters(v, "filters", strict(r))
			p.faults.Merge(err)
			q.Tags = filters.Tags
			if filters.UpdatedAfter != nil {
				q.UpdatedAfter = *filters.UpdatedAfter
			}
		}
	}
	return q
}

// searchList names what a search selects, for its cursors.
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
		"search", strconv.Quote(q.Text), tags.String(), q.UpdatedAfter.Format(time.RFC3339Nano), strconv.FormatBool(who.Audience().PublishedOnly),
	}, "\x01")
}

// place reads the cursor of a search.
func (p *params) place(codec cursorCodec, list string) *search.Place {
	m := p.cursor(codec, list)
	if m == nil {
		return nil
	}
	score, err := strconv.ParseFloat(m.Key, 64)
	if err != nil {
		p.faults.Add("cursor", "is not a cursor that this search gave out; begin again without one")
		return nil
	}
	return &search.Place{Score: score, ID: string(m.ID)}
}

// markOf is a place as a cursor holds it, to the last digit.
func markOf(place *search.Place) store.Mark {
	return store.Mark{Key: strconv.FormatFloat(place.Score, 'g', -1, 64), ID: octavo.ID(place.ID)}
}

// nextSearch is the address of the next slice, without the key.
func (a *API) nextSearch(r *request, p *params, cursor string) string {
	values := url.Values{}
	for _, name := range []string{"q", "filters", "limit", "format", "explain"} {
		if v, ok := p.get(name); ok {
			values.Set(name, v)
		}
	}
	values.Set("cursor", cursor)
	base := a.PublicURL
	path := r.URL.Path
	if r.route.server == onSearch {
		base, path = a.SearchURL, strings.TrimPrefix(path, searchPath)
	}
	return base + path + "?" + values.Encode()
}

// awaitIndex waits, where the request prefers that (RFC 7240 section 4.3),
// until the index has everything that was committed before.
func (a *API) awaitIndex(r *request) error {
	text, ok := preference(r, "wait")
	seconds, err := strconv.Atoi(text)
	if !ok || err != nil || seconds < 0 {
		return nil
	}
	seconds = min(seconds, maxSearchWait)
	r.w.Header().Add("Preference-Applied", "wait="+strconv.Itoa(seconds))
	ctx, cancel := context.WithTimeout(r.Context(), time.Duration(seconds)*time.Second)
	defer cancel()
	ctx, span := a.Trace.Child(ctx, "search.wait", tracing.Internal)
	defer span.End()
	if err := a.Search.Await(ctx); err != nil && ctx.Err() == nil {
		return err
	}
	return r.Context().Err() // when the time is over, what there is has to do
}
