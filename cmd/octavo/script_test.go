package main

import (
	"archive/zip"
	"bufio"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// The scripts in testdata/script run the program as a user does. Beside the
// commands of testscript, whose names would win, they have:
//
//	capture NAME [REGEXP]          puts the last standard output, or the first match in it, into $NAME
//	serve NAME [ARG...]            starts octavo serve on free ports, waits until it listens, and sets $NAME and $NAME_OPS to its addresses, and $NAME_SETUP to the link for the first person
//	end NAME                       stops that server with SIGTERM and fails unless it ends with 0
//	crash NAME                     ends that server with SIGKILL
//	unzip FILE DIR                 writes the files of a zip into a folder
//	request STATUS METHOD URL      makes a request and checks its status; the flags stand before STATUS:
//	  -H 'NAME: VALUE'             a header, repeatable
//	  -d FILE                      a JSON body
//	  -body TEXT                   what the answer must contain
//	  -within TIME                 how long to try until all of this holds
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"octavo": main})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Values["servers"] = map[string]*exec.Cmd{}
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"capture": capture,
			"serve":   serve,
			"end":     end,
			"crash":   crash,
			"unzip":   unzip,
			"request": request,
		},
		RequireExplicitExec: true,
	})
}

func capture(ts *testscript.TestScript, _ bool, args []string) {
	switch text := strings.TrimSpace(ts.ReadFile("stdout")); len(args) {
	case 1:
		ts.Setenv(args[0], text)
	case 2:
		ts.Setenv(args[0], regexp.MustCompile(args[1]).FindString(text))
	default:
		ts.Fatalf("usage: capture NAME [REGEXP]")
	}
}

func serve(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 1 {
		ts.Fatalf("usage: serve NAME [ARG...]")
	}
	name := args[0]
	cmd := exec.Command("octavo", append([]string{"serve", "--addr", "127.0.0.1:0", "--ops-addr", "127.0.0.1:0"}, args[1:]...)...)
	cmd.Dir = ts.MkAbs(".")
	cmd.Env = append(os.Environ(), "OCTAVO_SECRET_KEY="+ts.Getenv("OCTAVO_SECRET_KEY"), "GOMEMLIMIT="+ts.Getenv("GOMEMLIMIT"))
	stderr, err := cmd.StderrPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	ts.Defer(func() { _ = cmd.Process.Kill() })
	lines := bufio.NewScanner(stderr)
	var said strings.Builder
	for lines.Scan() {
		fmt.Fprintln(&said, lines.Text())
		if url, ok := strings.CutPrefix(lines.Text(), "octavo: operations on "); ok {
			ts.Setenv(name+"_OPS", url)
		}
		if _, url, ok := strings.Cut(lines.Text(), "add the first administrator at "); ok {
			ts.Setenv(name+"_SETUP", url)
		}
		if url, ok := strings.CutPrefix(lines.Text(), "octavo: listening on "); ok {
			ts.Setenv(name, url)
			ts.Value("servers").(map[string]*exec.Cmd)[name] = cmd
			go func() { _, _ = io.Copy(io.Discard, stderr) }() // ends with the process
			return
		}
	}
	ts.Fatalf("octavo serve %q ended before it listened:\n%s", args[1:], said.String())
}

func end(ts *testscript.TestScript, _ bool, args []string) {
	cmd := ts.Value("servers").(map[string]*exec.Cmd)[strings.Join(args, " ")]
	if cmd == nil {
		ts.Fatalf("no server %q runs", args)
	}
	ts.Check(cmd.Process.Signal(syscall.SIGTERM))
	if err := cmd.Wait(); err != nil {
		ts.Fatalf("octavo serve, told to stop: %v; want exit code 0", err)
	}
}

func crash(ts *testscript.TestScript, _ bool, args []string) {
	cmd := ts.Value("servers").(map[string]*exec.Cmd)[strings.Join(args, " ")]
	if cmd == nil {
		ts.Fatalf("no server %q runs", args)
	}
	ts.Check(cmd.Process.Kill())
	_ = cmd.Wait() // it tells of the signal
}

func unzip(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: unzip FILE DIR")
	}
	archive, err := zip.OpenReader(ts.MkAbs(args[0]))
	ts.Check(err)
	defer archive.Close()
	ts.Check(os.CopyFS(ts.MkAbs(args[1]), archive))
}

// headers gathers a repeated flag.
type headers []string

func (h *headers) String() string     { return strings.Join(*h, ", ") }
func (h *headers) Set(v string) error { *h = append(*h, v); return nil }

func request(ts *testscript.TestScript, _ bool, args []string) {
	var header headers
	flags := flag.NewFlagSet("request", flag.ContinueOnError)
	flags.Var(&header, "H", "")
	file := flags.String("d", "", "")
	body := flags.String("body", "", "")
	within := flags.Duration("within", 0, "")
	ts.Check(flags.Parse(args))
	if flags.NArg() != 3 {
		ts.Fatalf("usage: request [FLAG...] STATUS METHOD URL")
	}
	want, err := strconv.Atoi(flags.Arg(0))
	ts.Check(err)
	var content string
	if *file != "" {
		content = ts.ReadFile(*file)
		header = append(header, "Content-Type: application/json")
	}
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	deadline := time.Now().Add(*within)
	for {
		status, text := exchange(ts, flags.Arg(1), flags.Arg(2), header, content)
		if status == want && strings.Contains(text, *body) {
			fmt.Fprintln(ts.Stdout(), text)
			return
		}
		if time.Now().After(deadline) {
			ts.Fatalf("%s %s with %q: have %d %s; want %d and %q in it", flags.Arg(1), flags.Arg(2), header, status, text, want, *body)
		}
		<-look.C
	}
}

func exchange(ts *testscript.TestScript, method, url string, header []string, content string) (status int, text string) {
	r, err := http.NewRequest(method, url, strings.NewReader(content))
	ts.Check(err)
	for _, h := range header {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
	}
	answer, err := http.DefaultClient.Do(r)
	ts.Check(err)
	defer answer.Body.Close()
	answered, err := io.ReadAll(answer.Body)
	ts.Check(err)
	return answer.StatusCode, string(answered)
}
