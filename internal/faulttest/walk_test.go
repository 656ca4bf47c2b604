package faulttest

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/internal/testenv"
)

// scripts/cluster succeeds.
func TestWalkThroughACluster(t *testing.T) {
	t.Parallel()
	script := exec.Command("../../scripts/cluster")
	script.Env = append(os.Environ(), "OCTAVO="+program, "OCTAVO_TEST_POSTGRES="+testenv.Postgres(t), "OCTAVO_TEST_S3="+testenv.S3(t))
	out, err := script.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "everything was as it must be") {
		t.Fatalf("scripts/cluster: %v\n%s", err, out)
	}
	t.Logf("%s", out)
}
