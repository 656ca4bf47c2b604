package faulttest

import (
	"bufio"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/octavo-docs/octavo/internal/testenv"
)

// tracer is a strace that is attached to a process.
type tracer struct {
	cmd  *exec.Cmd
	done chan error
}

// attach traces all threads of a process, and returns once it does.
func attach(t testing.TB, pid int, flags ...string) *tracer {
	t.Helper()
	cmd := exec.Command(testenv.Strace(t), append([]string{"-f", "-p", strconv.Itoa(pid)}, flags...)...)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s := &tracer{cmd, make(chan error, 1)}
	attached := make(chan string, 1)
	go func() {
		lines := bufio.NewScanner(stderr)
		for lines.Scan() {
			// It says so of all threads that there are at once.
			select {
			case attached <- lines.Text():
			default:
			}
		}
		s.done <- cmd.Wait()
	}()
	t.Cleanup(s.detach)
	select {
	case line := <-attached:
		if !strings.Contains(line, "attached") {
			t.Fatalf("strace: %s", line)
		}
	case <-time.After(limit):
		t.Fatalf("strace did not attach within %s", limit)
	}
	return s
}

// detach ends the trace and waits until it is written.
func (s *tracer) detach() {
	_ = s.cmd.Process.Signal(syscall.SIGINT) // it may have ended with the process
	s.done <- <-s.done
}

// moment is the entry into a system call or the return from it.
type moment struct {
	thread, name string
	begins, ends bool // both when nothing happened between
	text         string
	result       int
}

var (
	lineForm    = regexp.MustCompile(`^(\d+) +(.*)$`)
	resumedForm = regexp.MustCompile(`^<\.\.\. (\w+) resumed>(.*)$`)
	resultForm  = regexp.MustCompile(`\) += (-?\d+)`)
)

// moments reads a trace made with -f: what was entered and left, in order. The
// text of a moment is that of the whole call as far as it is known.
func moments(trace string) []moment {
	open := map[string]string{} // unfinished calls by thread
	var list []moment
	for line := range strings.Lines(trace) {
		m := lineForm.FindStringSubmatch(strings.TrimRight(line, "\n"))
		if m == nil {
			continue
		}
		thread, text := m[1], m[2]
		if resumed := resumedForm.FindStringSubmatch(text); resumed != nil {
			text = open[thread] + resumed[2]
			delete(open, thread)
			list = append(list, moment{thread: thread, name: resumed[1], ends: true, text: text, result: result(text)})
			continue
		}
		name, _, call := strings.Cut(text, "(")
		if !call || strings.HasPrefix(text, "+") || strings.HasPrefix(text, "-") {
			continue // a signal, or the end of a thread
		}
		if begun, unfinished := strings.CutSuffix(text, " <unfinished ...>"); unfinished {
			open[thread] = begun
			list = append(list, moment{thread: thread, name: name, begins: true, text: begun})
			continue
		}
		list = append(list, moment{thread: thread, name: name, begins: true, ends: true, text: text, result: result(text)})
	}
	return list
}

// result returns what a call returned, -1 when that is not known.
func result(text string) int {
	all := resultForm.FindAllStringSubmatch(text, -1)
	if len(all) == 0 {
		return -1
	}
	n, err := strconv.Atoi(all[len(all)-1][1])
	if err != nil {
		return -1
	}
	return n
}
