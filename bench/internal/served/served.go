// Package served serves a folder of Markdown by Octavo, imported and started as
// its users do it. What is asked of it is for its users to say.
package served

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"

	"github.com/octavo-docs/octavo/bench/internal/proc"
)

// Server is a running Octavo.
type Server struct {
	*proc.Process
	URL   string
	Token string            // with the scope pages:write
	Files map[string]string // paths by the id of the page that a file became
}

// Start imports a folder into new data and serves it. Flags are those of
// octavo serve; the rate limit is off.
func Start(ctx context.Context, program, data, folder string, flags ...string) (*Server, error) {
	if err := errors.Join(os.RemoveAll(data), os.MkdirAll(folder, 0o755)); err != nil {
		return nil, err
	}
	s := new(Server)
	report := data + ".jsonl"
	if _, err := proc.Output(ctx, program, "import", folder, "--data", data, "--status", "published", "--report", report); err != nil {
		return nil, fmt.Errorf("import %s: %w", folder, err)
	}
	var err error
	if s.Files, err = files(report); err != nil {
		return nil, fmt.Errorf("read what was imported: %w", err)
	}
	if s.Token, err = proc.Output(ctx, program, "tokens", "issue", "--scopes", "pages:write", "--ttl", "24h", "--data", data); err != nil {
		return nil, err
	}
	args := append([]string{"serve", "--addr", "127.0.0.1:0", "--ops-addr=", "--rate-limit", "0", "--data", data}, flags...)
	s.Process, err = proc.Start(ctx, data+".log", regexp.MustCompile(`octavo: listening on (\S+)\n`), program, args...)
	if err != nil {
		return nil, err
	}
	s.URL = s.Ready[0]
	return s, nil
}

// files reads the report of an import.
func files(report string) (map[string]string, error) {
	text, err := os.ReadFile(report)
	if err != nil {
		return nil, err
	}
	found := make(map[string]string)
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var file struct{ Path, ID, Slug string }
		if err := json.Unmarshal(lines.Bytes(), &file); err != nil {
			return nil, err
		}
		if file.ID != "" && file.Slug != "" { // assets have none
			found[file.ID] = file.Path
		}
	}
	return found, lines.Err()
}

// Paths returns the files that became pages.
func (s *Server) Paths() []string {
	var list []string
	for _, path := range s.Files {
		list = append(list, path)
	}
	slices.Sort(list)
	return list
}
