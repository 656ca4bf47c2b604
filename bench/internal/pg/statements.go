package pg

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// logged is one line of the server's log.
type logged struct {
	Session string `json:"session_id"`
	Message string `json:"message"`
	Detail  string `json:"detail"` // the values of parameters
}

// marker stands in the log before the statements of each request that is
// watched, and behind the last.
const marker = "octavo-bench: next request"

// Watch makes requests one after the other and returns the statements that ran
// meanwhile, for each request in order.
func (s *Server) Watch(ctx context.Context, requests []func() error) (found [][]Statement, err error) {
	if err := s.logStatements(ctx, "all"); err != nil {
		return nil, err
	}
	path := filepath.Join(s.data(), "log", "statements.json")
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("find the log of statements: %w", err)
	}
	mark := func() error { _, err := s.Query(ctx, "SELECT '"+marker+"'"); return err }
	for _, request := range requests {
		if err := mark(); err != nil {
			return nil, err
		}
		if err := request(); err != nil {
			return nil, err
		}
	}
	if err := mark(); err != nil {
		return nil, err
	}
	// The collector writes in order: once the last mark is there, all is.
	for {
		text, err := readFrom(path, info.Size())
		if err != nil {
			return nil, err
		}
		if bytes.Count(text, []byte(marker)) > len(requests) && bytes.HasSuffix(text, []byte("\n")) {
			if found, err = parseLog(text); err != nil {
				return nil, err
			}
			return found[1 : len(requests)+1], s.logStatements(ctx, "none")
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// logStatements sets which statements are logged, and waits until new sessions
// do so. Older ones learn of it before their next statement.
func (s *Server) logStatements(ctx context.Context, which string) error {
	for _, statement := range []string{"ALTER SYSTEM SET log_statement = '" + which + "'", "SELECT pg_reload_conf()"} {
		if _, err := s.Query(ctx, statement); err != nil {
			return fmt.Errorf("log %s statements: %w", which, err)
		}
	}
	for {
		if value, err := s.Query(ctx, "SHOW log_statement"); err != nil || value == which {
			return err
		}
	}
}

func readFrom(path string, offset int64) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if _, err := file.Seek(offset, io.SeekStart); err != nil {
		return nil, err
	}
	return io.ReadAll(file)
}

// Statement is one that a session ran.
type Statement struct {
	Session string
	Text    string // without a semicolon, values in place of parameters
}

var (
	executed  = regexp.MustCompile(`(?s)^(?:execute [^:]*|statement): (.*)$`)
	parameter = regexp.MustCompile(`\$(\d+)`)
)

// parseLog reads lines of a JSON log, divided at the marks.
func parseLog(text []byte) ([][]Statement, error) {
	found := make([][]Statement, 1)
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, len(text)+1)
	for lines.Scan() {
		var l logged
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			return nil, fmt.Errorf("read the log of statements: %w", err)
		}
		m := executed.FindStringSubmatch(l.Message)
		if m == nil {
			continue
		}
		if strings.Contains(m[1], marker) {
			found = append(found, nil)
			continue
		}
		values, err := parseValues(l.Detail)
		if err != nil {
			return nil, err
		}
		statement := parameter.ReplaceAllStringFunc(m[1], func(name string) string {
			n, err := strconv.Atoi(name[1:])
			if err != nil || n < 1 || n > len(values) {
				return name
			}
			return values[n-1]
		})
		last := &found[len(found)-1]
		*last = append(*last, Statement{l.Session, strings.TrimRight(strings.TrimSpace(statement), ";")})
	}
	return found, lines.Err()
}

// value matches the next value in a detail such as
//
//	parameters: $1 = 'it''s', $2 = NULL
var value = regexp.MustCompile(`(?s)^(?:, )?\$\d+ = (NULL|'(?:[^']|'')*')`)

// variable matches what pgbench takes for a variable even within a string, such
// as the end of {"parentId":null}.
var variable = regexp.MustCompile(`:([A-Za-z_])`)

// parseValues returns the values of the parameters as SQL. Strings in which
// pgbench would see variables are divided by a line break, which SQL allows.
func parseValues(detail string) ([]string, error) {
	_, rest, ok := strings.Cut(detail, "arameters: ")
	if !ok {
		return nil, nil
	}
	var values []string
	for rest != "" {
		m := value.FindStringSubmatch(rest)
		if m == nil {
			return nil, fmt.Errorf("read the parameters of a statement at %.100q", rest)
		}
		values = append(values, variable.ReplaceAllString(m[1], ":'\n'$1"))
		rest = rest[len(m[0]):]
	}
	return values, nil
}
