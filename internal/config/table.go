package config

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// Option documents one option.
type Option struct {
	Name        string // of the flag without dashes, and of the key in the file
	Variable    string
	File        string // the variable that names a file with the secret; "" if there is none
	Group       string
	Default     string
	Placeholder string
	Help        string

	flag *kong.Flag
}

// Table returns all options in order of declaration, with the values of o.
func (o *Options) Table() ([]Option, error) {
	parser, err := kong.New(o, kong.NoDefaultHelp())
	if err != nil {
		return nil, fmt.Errorf("read the options: %w", err)
	}
	var table []Option
	for _, flag := range parser.Model.Flags {
		table = append(table, describe(flag))
	}
	return table, nil
}

func describe(flag *kong.Flag) Option {
	o := Option{
		Name:        flag.Name,
		Variable:    variable(flag),
		Group:       flag.Group.Title,
		Default:     flag.Default,
		Placeholder: flag.PlaceHolder,
		Help:        flag.Help,
		flag:        flag,
	}
	if flag.Tag.Has("secret") {
		o.File = o.Variable + fileSuffix
	}
	return o
}

// variablePrefix begins the names of Octavo's variables. fileSuffix ends those that name a
// file with a secret.
const (
	variablePrefix = "OCTAVO_"
	fileSuffix     = "_FILE"
)

// variable returns the environment variable of a flag.
func variable(flag *kong.Flag) string { return variables(flag)[0] }

// variables returns the environment variables of a flag: the current name, then old names.
func variables(flag *kong.Flag) (names []string) {
	for _, name := range append([]string{flag.Name}, flag.Aliases...) {
		names = append(names, variablePrefix+strings.ToUpper(strings.ReplaceAll(name, "-", "_")))
	}
	return names
}

// shared reports whether a flag is an option of the installation and not of one command.
// Only those have a group.
func shared(flag *kong.Flag) bool { return flag.Group != nil }

// Print writes the options as a configuration file, with secrets masked.
func (o *Options) Print(w io.Writer) error {
	table, err := o.Table()
	if err != nil {
		return err
	}
	for _, option := range table {
		if option.Name == "config" {
			continue // a file cannot name another
		}
		if _, err := fmt.Fprintf(w, "%s: %s\n", option.Name, scalar(text(option.flag.Target))); err != nil {
			return fmt.Errorf("print the options: %w", err)
		}
	}
	return nil
}

// text writes a value as on the command line: a list with commas, a map as NAME=VALUE.
func text(value reflect.Value) string {
	var parts []string
	switch value.Kind() {
	case reflect.Slice:
		for _, v := range value.Seq2() {
			parts = append(parts, fmt.Sprint(v))
		}
	case reflect.Map:
		for k, v := range value.Seq2() {
			parts = append(parts, fmt.Sprintf("%v=%v", k, v))
		}
		slices.Sort(parts)
	default:
		return fmt.Sprint(value)
	}
	return kong.JoinEscaped(parts, ',')
}

func sortedKeys[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }

// scalar writes text as a YAML scalar; a JSON string is always one.
func scalar(text string) string {
	var quoted strings.Builder
	encoder := json.NewEncoder(&quoted)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text) // encoding a string cannot fail
	return strings.TrimSuffix(quoted.String(), "\n")
}
