// Command octavo is the documentation server and everything that is done to
// its data by hand. This package owns the command line: what the commands are
// called, what they print and how they end. What they do is in the packages
// below internal.
//
// A command is one field of [commands], one file that holds its flags and its
// run method, and a paragraph of help.txt. Results go to standard output alone,
// one per line; everything else goes to standard error.
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

// How the program ends. Scripts depend on these.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2 // what was asked makes no sense; nothing was done
)

// commands are the commands and their names.
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

// program is what a command runs with.
type program struct {
	ctx            context.Context // ends when the program is told to stop
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

// grammar returns what the options of the commands are made of.
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

// helpText has a paragraph for each command: a line with its name, and then what
// it does and does not do.
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

// refuseBytes refuses arguments that are not UTF-8: kong would replace bytes of
// them, and a folder or file of another name be worked on.
func refuseBytes(args []string) error {
	for _, arg := range args {
		if !utf8.ValidString(arg) {
			return fmt.Errorf("the argument %q is not UTF-8: name files and folders in UTF-8", arg)
		}
	}
	return nil
}

// refuseEmpty refuses a flag that has to be given and is given as nothing, as
// by --url "$URL" where there is no such variable; and --url also where it may
// be left out, since without it an import goes into a folder.
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
		help += " Default: " + v.Default + "."
	}
	return help
}

// warnUnknown names the variables of the environment that look like those of an
// option and are none. They are no error: an older program may not know an option
// yet.
func (p *program) warnUnknown(model *kong.Application) error {
	unknown, err := config.Unknown(model, os.Environ())
	for _, name := range unknown {
		fmt.Fprintf(p.stderr, "octavo: the variable %s has no effect: no option has that name\n", name)
	}
	return err
}

// usageError is an error in what was asked for.
type usageError struct{ error }

// fail tells an error, a line for each of those it joins, and returns the
// exit code for it.
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
			text = doing + text // what of many things could not be reached
		}
	}
	for line := range strings.SplitSeq(text, "\n") {
		fmt.Fprintf(p.stderr, "octavo: %s\n", line)
	}
	return code
}
