package reading

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"regexp"
	"strconv"
	"time"

	"github.com/octavo-docs/octavo/bench/internal/corpus"
	"github.com/octavo-docs/octavo/bench/internal/figure"
	"github.com/octavo-docs/octavo/bench/internal/pg"
	"github.com/octavo-docs/octavo/bench/internal/proc"
	"github.com/octavo-docs/octavo/bench/internal/target"
)

// visible publishes pages on one server, and asks another one for each from then on
// until it is there.
func visible(ctx context.Context, name, writer, reader, token string, list *figure.List) error {
	var took []time.Duration
	for i := range published {
		slug := "news-" + strconv.Itoa(i)
		page := corpus.Page{Title: "News", Slug: slug, Status: "published", Content: "New.\n"}
		if _, _, err := target.Ask(ctx, http.MethodPost, writer+"/v1/pages", token, page.JSON()); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		began := time.Now()
		for {
			_, err := ask(ctx, reader+"/docs/"+slug)
			if err == nil {
				break
			}
			if time.Since(began) > 10*time.Second {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		took = append(took, time.Since(began))
	}
	spread(list, name, took)
	return nil
}

// elsewhere does that with two servers on one PostgreSQL.
func (s Settings) elsewhere(ctx context.Context, data string, list *figure.List) (err error) {
	db, err := pg.Start(ctx, "/var/tmp") // where the server's user can reach it
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	storage := []string{"--database-url", db.URL, "--data", data}
	var servers [2]string
	for i := range servers {
		server, err := s.serve(ctx, filepath.Join(s.Folder, fmt.Sprintf("reading-%d.log", i)), storage...)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, server.Stop()) }()
		servers[i] = server.Ready[0]
	}
	token, err := proc.Output(ctx, s.Program, append([]string{"tokens", "issue", "--scopes", "pages:write", "--ttl", "1h"}, storage...)...)
	if err != nil {
		return err
	}
	home := corpus.Page{Title: "Home", Slug: "home", Status: "published"} // whose address redirects
	if _, _, err := target.Ask(ctx, http.MethodPost, servers[0]+"/v1/pages", token, home.JSON()); err != nil {
		return err
	}
	return visible(ctx, figure.Elsewhere, servers[0], servers[1], token, list)
}

// serve starts a server with a site for everybody.
func (s Settings) serve(ctx context.Context, log string, storage ...string) (*proc.Process, error) {
	return proc.Start(ctx, log, regexp.MustCompile(`octavo: listening on (\S+)\n`), s.Program,
		append([]string{"serve", "--addr", "127.0.0.1:0", "--ops-addr=", "--rate-limit", "0", "--site", "public", "--site-rate-limit", "0"}, storage...)...)
}
