package relevance

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// node searches by a script of the folder of peers. It reads the job as JSON
// and writes the answers as JSON.
func (s Settings) node(script string) func(context.Context, job) ([]answer, error) {
	return func(ctx context.Context, j job) ([]answer, error) {
		if _, err := os.Stat(filepath.Join(s.Peers, "node_modules")); err != nil {
			return nil, errors.New("its packages are not installed; run: scripts/bench-deps")
		}
		input, err := json.Marshal(j)
		if err != nil {
			return nil, fmt.Errorf("encode the pages: %w", err)
		}
		cmd := exec.CommandContext(ctx, "node", filepath.Join(s.Peers, script), filepath.Join(j.folder, "peer-run"))
		cmd.Stdin = bytes.NewReader(input)
		var stderr strings.Builder
		cmd.Stderr = &stderr
		output, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("run %s: %w: %.1000s", script, err, stderr.String())
		}
		var answers []answer
		if err := json.Unmarshal(output, &answers); err != nil {
			return nil, fmt.Errorf("read the answers of %s: %w", script, err)
		}
		return answers, nil
	}
}
