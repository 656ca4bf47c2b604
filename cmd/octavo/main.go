// Command octavo is the documentation server, with the commands that administer its
// data. This package owns the command line: the names of commands, their output and
// their exit codes. Their work is in the packages below internal.
//
// A command is one field of [commands], one file that holds its flags and its
// run method, and a paragraph of help.txt. Only results go to standard output, one
// per line; everything else goes to standard error.
package main

import (
	"context"
	"crypto/rand"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/alecthomas/kong"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/config"
	"github.com/octavo-docs/octavo/internal/imports"
)

// Exit codes. Scripts depend on them.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2 // an invalid command line; nothing was done
)

// commands has a field for each command.
type commands struct {
	Serve     serveCommand     `cmd:"" help:"Serve the API."`
	Keys      keysCommand      `cmd:"" help:"Create, list, rotate and revoke API keys."`
	Tokens    tokensCommand    `cmd:"" help:"Issue signed access tokens."`
	Callbacks callbacksCommand `cmd:"" help:"Rotate the key that signs callbacks."`
	Users     usersCommand     `cmd:"" help:"Add, list and disable people who can sign in."`
	Clients   clientsCommand   `cmd:"" help:"Register and remove applications that people sign in to."`
	Login     loginCommand     `cmd:"" help:"Sign in to a server and print an access token."`
	Listen    listenCommand    `cmd:"" help:"Print the events of a server, and forward them."`
	Search    searchCommand    `cmd:"" help:"Search the pages of a server."`
	Site      siteCommand      `cmd:"" help:"Print and change the settings of the site for readers."`
	Propose   proposeCommand   `cmd:"" help:"Propose changes to pages from Markdown files."`
	Proposals proposalsCommand `cmd:"" help:"List, show, compare, merge and close proposals."`
	Import    importCommand    `cmd:"" help:"Import a tree of Markdown files."`
	Export    exportCommand    `cmd:"" help:"Export pages as a PDF, a site or a Markdown archive."`
	Backup    backupCommand    `cmd:"" help:"Back up a data folder into one file, even while a server is running."`
	Restore   restoreCommand   `cmd:"" help:"Restore a backup into an empty data folder."`
	Migrate   migrateCommand   `cmd:"" help:"Upgrade the database schema."`
	Conform   conformCommand   `cmd:"" help:"Run the contract scripts against a server."`
	Doctor    doctorCommand    `cmd:"" help:"Check the data for damage and inconsistencies."`
	Version   versionCommand   `cmd:"" help:"Print the version of this program."`
}

// program is the environment of a command.
type program struct {
	ctx            context.Context // ends when the program is interrupted
	stdin          io.Reader
	stdout, stderr io.Writer
	now            func() time.Time
	random         io.Reader
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	os.Exit(Run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// grammar returns the kong options of the command line.
func grammar() []kong.Option {
	return append(config.Kong(), kong.Vars{"systems": imports.Systems()})
}

// Run runs the command that args name and returns the exit code.
func Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	p := &program{ctx: ctx, stdin: stdin, stdout: stdout, stderr: stderr, now: time.Now, random: rand.Reader}
	helped := false
	options := append(grammar(),
		kong.Name("octavo"),
		kong.PostBuild(describe),
		kong.Description("A self-hosted, API-first documentation server."),
		kong.Writers(stdout, stderr),
		kong.Exit(func(int) { helped = true }),
		kong.ValueFormatter(helpOf),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
	)
	parser, err := kong.New(&commands{}, options...)
	if err != nil {
		fmt.Fprintf(stderr, "octavo: %v\n", err)
		return exitFailed
	}
	if err := refuseBytes(args); err != nil {
		fmt.Fprintf(stderr, "octavo: %v\n", err)
		return exitUsage
	}
	p.stderr = legibly{stderr}
	command, err := parser.Parse(args)
	if helped {
		return exitDone
	}
	if err := p.warnUnknown(parser.Model); err != nil {
		return p.fail(err)
	}
	if err == nil {
		err = refuseEmpty(command)
	}
	if err != nil {
		fmt.Fprintf(p.stderr, "octavo: %v; see octavo --help\n", err)
		return exitUsage
	}
	if err := command.Run(p); err != nil {
		return p.fail(err)
	}
	return exitDone
}

// helpText has a paragraph for each command: a line with its name, then its
// description.
//
//go:embed help.txt
var helpText string

// describe gives each command its text.
func describe(k *kong.Kong) error {
	texts := map[string]string{}
	for paragraph := range strings.SplitSeq(helpText, "\n\n") {
		name, text, _ := strings.Cut(strings.TrimSpace(paragraph), "\n")
		texts[name] = strings.ReplaceAll(text, "\n", " ")
	}
	for _, command := range k.Model.Leaves(false) {
		command.Detail = texts[command.Path()]
	}
	return nil
}

// refuseBytes refuses arguments that are not UTF-8: kong would replace bytes in
// them, so that the command would use another file or folder.
func refuseBytes(args []string) error {
	for _, arg := range args {
		if !utf8.ValidString(arg) {
			return fmt.Errorf("the argument %q is not UTF-8: name files and folders in UTF-8", arg)
		}
	}
	return nil
}

// refuseEmpty refuses an empty required flag, such as --url "$URL" with an unset
// variable. It also refuses an empty optional --url, since without it an import
// goes into a folder.
func refuseEmpty(command *kong.Context) error {
	for _, flag := range command.Flags() {
		if (flag.Required || flag.Name == "url" && given(command, flag.Name)) && flag.Target.IsZero() {
			return fmt.Errorf("--%s is empty", flag.Name)
		}
	}
	return nil
}

// helpOf describes a flag with its default.
func helpOf(v *kong.Value) string {
	help := kong.DefaultHelpValueFormatter(v)
	if v.Default != "" {
		help += " Default: " + strings.TrimSuffix(v.Default, ".") + "."
	}
	return help
}

// warnUnknown warns about environment variables that look like an option but are
// none. They are no error: an older program may not know an option yet.
func (p *program) warnUnknown(model *kong.Application) error {
	unknown, err := config.Unknown(model, os.Environ())
	for _, name := range unknown {
		fmt.Fprintf(p.stderr, "octavo: the variable %s has no effect: no option has that name\n", name)
	}
	return err
}

// usageError is an error of the command line.
type usageError struct{ error }

// fail prints an error, with a line for each joined error, and returns its exit
// code.
func (p *program) fail(err error) int {
	code, text := exitFailed, err.Error()
	var wrong usageError
	var fault *octavo.Error
	switch {
	case errors.As(err, &wrong):
		code = exitUsage
	case errors.As(err, &fault) && fault.Type == octavo.InvalidRequest:
		code = exitUsage
		lines := make([]string, len(fault.Fields))
		for i, f := range fault.Fields {
			lines[i] = strings.TrimPrefix(f.Path, "/") + " " + f.Message
		}
		text = strings.Join(lines, "\n")
	case errors.As(err, &fault) && fault.Detail != "":
		text = fault.Detail
		if fault.Err != nil {
			text = strings.TrimSuffix(text, ".") + ": " + fault.Err.Error()
		}
		if doing, ok := strings.CutSuffix(err.Error(), fault.Error()); ok && fault.Type == octavo.Unavailable {
			text = doing + text // the one of several targets that could not be reached
		}
	}
	for line := range strings.SplitSeq(text, "\n") {
		fmt.Fprintf(p.stderr, "octavo: %s\n", line)
	}
	return code
}
