package relevance

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"
	"unicode"

	_ "modernc.org/sqlite" // the driver
)

// fts5 searches by SQLite's full-text search with one of its tokenizers: words
// joined by OR, the last one as a prefix, ranked by bm25 with weights.
func fts5(tokenizer string) func(context.Context, job) ([]answer, error) {
	return func(ctx context.Context, j job) (answers []answer, err error) {
		db, err := sql.Open("sqlite", ":memory:")
		if err != nil {
			return nil, fmt.Errorf("open SQLite: %w", err)
		}
		defer db.Close()
		db.SetMaxOpenConns(1) // each connection has a memory of its own
		create := fmt.Sprintf("CREATE VIRTUAL TABLE pages USING fts5(title, headings, words, description, text, path UNINDEXED, tokenize = '%s')", tokenizer)
		if _, err := db.ExecContext(ctx, create); err != nil {
			return nil, fmt.Errorf("make the table: %w", err)
		}
		for _, p := range j.Pages {
			if _, err := db.ExecContext(ctx, "INSERT INTO pages VALUES (?, ?, ?, ?, ?, ?)", p.Title, p.Headings, p.Words, p.Description, p.Text, p.Path); err != nil {
				return nil, fmt.Errorf("index %s: %w", p.Path, err)
			}
		}
		for _, q := range j.Queries {
			began := time.Now()
			paths, err := selectPaths(ctx, db, fmt.Sprintf("SELECT path FROM pages WHERE pages MATCH ? ORDER BY bm25(pages, 4, 2.5, 2, 1.5, 1) LIMIT %d", depth), fts5Query(q, tokenizer == "trigram"))
			if err != nil {
				return nil, fmt.Errorf("search %q: %w", q, err)
			}
			answers = append(answers, answer{paths, milliseconds(began)})
		}
		return answers, nil
	}
}

// fts5Query writes a query in the language of FTS5. Trigrams find any part of a
// word, but none shorter than three characters; a run of Chinese is looked for
// by its trigrams.
func fts5Query(text string, trigrams bool) string {
	phrases, words := split(text)
	var required, some []string
	for _, phrase := range phrases {
		required = append(required, `"`+phrase+`"`)
	}
	for i, word := range words {
		runes := []rune(word)
		switch {
		case trigrams && unicode.Is(unicode.Han, runes[0]) && len(runes) > 3:
			for at := range len(runes) - 2 {
				some = append(some, `"`+string(runes[at:at+3])+`"`)
			}
		case trigrams && len(runes) < 3: // it finds nothing
		case i == len(words)-1 && !trigrams:
			some = append(some, `"`+word+`"*`)
		default:
			some = append(some, `"`+word+`"`)
		}
	}
	if len(some) > 0 {
		required = append(required, "("+strings.Join(some, " OR ")+")")
	}
	if len(required) == 0 {
		return `""`
	}
	return strings.Join(required, " AND ")
}

// selectPaths returns the only column of a query.
func selectPaths(ctx context.Context, db *sql.DB, statement string, args ...any) (paths []string, err error) {
	rows, err := db.QueryContext(ctx, statement, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var path string
		if err := rows.Scan(&path); err != nil {
			return nil, err
		}
		paths = append(paths, path)
	}
	return paths, rows.Err()
}
