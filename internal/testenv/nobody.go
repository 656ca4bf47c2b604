package testenv

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// nobody is the user and group that AsNobody runs tests as.
const nobody = 65534

// AsNobody runs the calling test as a user to whom file permissions apply. It returns
// false if that is already so. As root, it runs the test in a process of its own, as a
// user who only owns a temporary folder, reports its result, and returns true; then the
// caller, which must not be a subtest, has to return.
func AsNobody(t *testing.T) (done bool) {
	t.Helper()
	if os.Geteuid() != 0 {
		return false
	}
	folder, err := os.MkdirTemp("", "nobody-*") // not t.TempDir, which others may not enter
	if err == nil {
		err = os.Chown(folder, nobody, nobody)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(folder); err != nil {
			t.Error(err)
		}
	})
	// Wherever the program lies: others may not be allowed to look it up.
	cmd := exec.CommandContext(t.Context(), "/proc/self/exe", "-test.count=1", "-test.v", "-test.run=^"+regexp.QuoteMeta(t.Name())+"$")
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "TMPDIR="+folder, "HOME="+folder)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()+" ") {
		t.Errorf("as a user without rights: %v\n%s", err, out)
	}
	return true
}
