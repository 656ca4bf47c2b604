package relevance

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver

	"github.com/octavo-docs/octavo/bench/internal/pg"
)

// askPostgres searches by PostgreSQL's full-text search in the configuration of
// the language (it has none for Chinese): words joined by OR, the last one as a
// prefix, ranked by ts_rank with weights.
func askPostgres(ctx context.Context, j job) (answers []answer, err error) {
	server, err := pg.Start(ctx, os.TempDir()) // reachable for its user, and nothing here waits for a disk
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	db, err := sql.Open("pgx", server.URL)
	if err != nil {
		return nil, fmt.Errorf("open PostgreSQL: %w", err)
	}
	defer db.Close()
	language := "english"
	if j.Chinese {
		language = "simple"
	}
	if _, err := db.ExecContext(ctx, "CREATE TABLE pages (path text, found tsvector)"); err != nil {
		return nil, fmt.Errorf("make the table: %w", err)
	}
	insert := strings.ReplaceAll(`INSERT INTO pages VALUES ($1, setweight(to_tsvector('L', $2), 'A') || setweight(to_tsvector('L', $3), 'B') ||
		setweight(to_tsvector('L', $4), 'C') || setweight(to_tsvector('L', $5), 'D'))`, "'L'", "'"+language+"'")
	for _, p := range j.Pages {
		if _, err := db.ExecContext(ctx, insert, p.Path, p.Title, p.Headings, p.Words+" "+p.Description, p.Text); err != nil {
			return nil, fmt.Errorf("index %s: %w", p.Path, err)
		}
	}
	if _, err := db.ExecContext(ctx, "CREATE INDEX ON pages USING gin (found); ANALYZE pages"); err != nil {
		return nil, fmt.Errorf("make the index: %w", err)
	}
	statement := strings.ReplaceAll(fmt.Sprintf(`SELECT path FROM pages, to_tsquery('L', $1) AS q
		WHERE found @@ q ORDER BY ts_rank('{0.25, 0.5, 0.6, 1}', found, q, 1) DESC, path LIMIT %d`, depth), "'L'", "'"+language+"'")
	for _, q := range j.Queries {
		began := time.Now()
		paths, err := selectPaths(ctx, db, statement, tsQuery(q))
		if err != nil {
			return nil, fmt.Errorf("search %q: %w", q, err)
		}
		answers = append(answers, answer{paths, milliseconds(began)})
	}
	return answers, nil
}

// tsQuery writes a query in the language of to_tsquery.
func tsQuery(text string) string {
	phrases, words := split(text)
	var required []string
	for _, phrase := range phrases {
		required = append(required, "("+strings.Join(lexemes(wordsOf(phrase)), " <-> ")+")")
	}
	if len(words) > 0 {
		some := lexemes(words)
		some[len(some)-1] += ":*"
		required = append(required, "("+strings.Join(some, " | ")+")")
	}
	return strings.Join(required, " & ")
}

func lexemes(words []string) []string {
	list := make([]string, len(words))
	for i, word := range words {
		list[i] = "'" + word + "'"
	}
	return list
}
