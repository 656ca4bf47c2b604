package sitestore

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Limits of queries: the characters of one, how many different ones are collected
// between two writes and kept for a day, and how often one must occur to be listed.
const (
	maxQuery    = 100
	maxGathered = 1000
	maxDaily    = 10_000
	shownFrom   = 3
)

// queries are those counted since the last write.
type queries struct {
	mu       sync.Mutex
	gathered map[string]counted
}

type counted struct{ times, results int }

// Searched counts a reader's query, and how many results it had. Queries
// that may identify a person are not counted.
func (s *Sites) Searched(query string, results int) {
	query = strings.ToLower(strings.Join(strings.Fields(query), " "))
	if query == "" || !utf8.ValidString(query) || utf8.RuneCountInString(query) > maxQuery || private(query) {
		return
	}
	s.queries.mu.Lock()
	defer s.queries.mu.Unlock()
	if s.queries.gathered == nil {
		s.queries.gathered = map[string]counted{}
	}
	c, known := s.queries.gathered[query]
	if known || len(s.queries.gathered) < maxGathered {
		s.queries.gathered[query] = counted{c.times + 1, results}
	}
}

// private reports whether a query looks like a mail address, a key or a long number.
func private(query string) bool {
	if strings.Contains(query, "://") {
		return true
	}
	digits := 0
	for word := range strings.FieldsSeq(query) {
		letter, digit := false, false
		for _, c := range word {
			letter = letter || unicode.IsLetter(c)
			if unicode.IsDigit(c) {
				digit = true
				digits++
			}
		}
		if strings.Contains(word, "@") || digits > 6 || letter && digit && utf8.RuneCountInString(word) >= 16 && !strings.ContainsAny(word, ".-") || utf8.RuneCountInString(word) >= 40 || startsAsKey.MatchString(word) {
			return true
		}
	}
	return strings.ContainsFunc(query, unicode.IsControl)
}

// startsAsKey matches the prefixes of keys of well-known services and of Octavo.
var startsAsKey = regexp.MustCompile(`^([spr]k_|gh[opsu]_|github_pat_|glpat-|xox[abp]-|akia|ya29\.|aiza|eyj|oct[a-z]*_)`)

func dayOf(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// FlushQueries writes the counts since the last call.
func (s *Sites) FlushQueries(ctx context.Context) error {
	s.queries.mu.Lock()
	gathered := s.queries.gathered
	s.queries.gathered = nil
	s.queries.mu.Unlock()
	if len(gathered) == 0 {
		return nil
	}
	return s.db.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) error {
		day, have := dayOf(tx.Now()), 0
		if _, err := tx.Row([]any{&have}, `SELECT count(*) FROM site_queries WHERE day = $1`, day); err != nil {
			return fmt.Errorf("count the queries of a day: %w", err)
		}
		for _, query := range slices.Sorted(maps.Keys(gathered)) { // in one order for all processes, to avoid deadlocks
			c := gathered[query]
			known, err := tx.Exec(`UPDATE site_queries SET times = times + $3, results = $4 WHERE query = $1 AND day = $2`, query, day, c.times, c.results)
			if err != nil {
				return fmt.Errorf("count a query: %w", err)
			}
			if known > 0 || have >= maxDaily {
				continue
			}
			if _, err := tx.Exec(`INSERT INTO site_queries (query, day, times, results) VALUES ($1, $2, $3, $4)
				ON CONFLICT (query, day) DO UPDATE SET times = site_queries.times + excluded.times, results = excluded.results`, query, day, c.times, c.results); err != nil {
				return fmt.Errorf("count a query: %w", err)
			}
			have++
		}
		return nil
	})
}

// Queries returns at most limit queries after a cursor: those without results first,
// then by frequency. It has those of the last year with at least three occurrences.
func (s *Sites) Queries(ctx context.Context, after *sqldb.Cursor, limit int) (list []octavo.SearchedQuery, more bool, err error) {
	found, times, query := 0, int64(1<<62), ""
	if after != nil {
		head, rest, _ := strings.Cut(after.Key, " ")
		count, text, _ := strings.Cut(rest, " ")
		found, _ = strconv.Atoi(head) // the key is our own
		times, _ = strconv.ParseInt(count, 10, 64)
		query = text
	}
	return sqldb.CollectUpTo(ctx, s.db.Slow(), "list queries", limit, func(row sqldb.Scanner) (q octavo.SearchedQuery, err error) {
		err = row.Scan(&q.Query, &q.Count, &q.Results, &q.LastDay)
		return q, err
	}, `SELECT query, times, results, day FROM (
			SELECT q.query, SUM(q.times) AS times, MAX(q.day) AS day,
				(SELECT l.results FROM site_queries l WHERE l.query = q.query ORDER BY l.day DESC LIMIT 1) AS results
			FROM site_queries q GROUP BY q.query HAVING SUM(q.times) >= $1) counted
		WHERE (CASE WHEN results = 0 THEN 0 ELSE 1 END, -times, query) > ($2, $3, $4)
		ORDER BY CASE WHEN results = 0 THEN 0 ELSE 1 END, -times, query LIMIT $5`, shownFrom, found, -times, query, limit+1)
}

// QueryCursor returns the position of a query in the list.
func QueryCursor(q octavo.SearchedQuery) sqldb.Cursor {
	return sqldb.Cursor{Key: fmt.Sprintf("%d %d %s", min(1, cmp.Compare(q.Results, 0)), q.Count, q.Query)}
}
