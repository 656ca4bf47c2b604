// Package proc runs a server as a child process and reads from /proc what it
// uses. It knows no particular server: each says on a line of its log that it
// is ready. What the server logs goes to a file, as it would in production.
package proc

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"time"
)

const (
	startLimit = 5 * time.Minute // filling a peer with its pages included
	stopLimit  = 20 * time.Second
	poll       = 2 * time.Millisecond
)

// Process is a running server.
type Process struct {
	Pid     int
	Ready   []string      // what the groups of the ready line matched
	Startup time.Duration // from its start to its ready line
	cmd     *exec.Cmd
	done    chan struct{} // closed once it has ended
	err     error         // why it ended; to be read after done
	log     string
}

// Start starts a program whose output goes to the file log, and waits for the
// first line in it that ready matches. Variables that would configure the
// program are taken out of its environment.
func Start(ctx context.Context, log string, ready *regexp.Regexp, program string, args ...string) (*Process, error) {
	file, err := os.Create(log)
	if err != nil {
		return nil, fmt.Errorf("create the log of %s: %w", program, err)
	}
	defer file.Close()
	cmd := exec.Command(program, args...) // not CommandContext: Stop ends it gently
	cmd.Stdout, cmd.Stderr = file, file
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "OCTAVO_") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", program, err)
	}
	p := &Process{Pid: cmd.Process.Pid, cmd: cmd, done: make(chan struct{}), log: log}
	go func() {
		p.err = cmd.Wait()
		close(p.done)
	}()
	if err := p.await(ctx, ready, began); err != nil {
		return nil, errors.Join(fmt.Errorf("start %s: %w", program, err), p.Stop())
	}
	return p, nil
}

// await reads the log until the ready line is there.
func (p *Process) await(ctx context.Context, ready *regexp.Regexp, began time.Time) error {
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	ticker := time.NewTicker(poll)
	defer ticker.Stop()
	for {
		text, err := os.ReadFile(p.log)
		if err != nil {
			return err
		}
		if m := ready.FindSubmatch(text); m != nil {
			p.Startup = time.Since(began)
			for _, group := range m[1:] {
				p.Ready = append(p.Ready, string(group))
			}
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("it is not ready: %w; its log is %s", ctx.Err(), p.log)
		case <-p.done:
			text, _ = os.ReadFile(p.log) // with what it said last
			return fmt.Errorf("it ended: %w: %s", p.err, tail(text))
		case <-ticker.C:
		}
	}
}

// tail is the end of a log.
func tail(text []byte) string { return strings.TrimSpace(string(text[max(0, len(text)-1000):])) }

// Stop tells the process to end and waits for it. One that does not is killed.
func (p *Process) Stop() error {
	select {
	case <-p.done:
		return nil
	default:
	}
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("stop process %d: %w", p.Pid, err)
	}
	select {
	case <-p.done:
		return nil
	case <-time.After(stopLimit):
	}
	_ = p.cmd.Process.Kill() // it may have ended meanwhile
	<-p.done
	return fmt.Errorf("process %d did not stop within %s and was killed", p.Pid, stopLimit)
}

// Output runs a program that ends and returns its standard output without
// the last line break.
func Output(ctx context.Context, program string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("run %s: %w: %s", program, err, tail([]byte(stderr.String())))
	}
	return strings.TrimRight(string(out), "\n"), nil
}
