package config

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/kong"
	"go.yaml.in/yaml/v4"
)

// maxFile is the maximum size of a configuration file in bytes.
const maxFile = 1 << 20

// Kong returns the options for one kong parser that also reads options from the
// environment and the configuration file.
func Kong() []kong.Option {
	r := &resolver{}
	return []kong.Option{
		kong.PostBuild(nameVariables),
		kong.WithBeforeResolve(r.load),
		kong.Resolvers(r),
	}
}

// nameVariables gives each shared flag its variable, which kong reads and shows in the
// help. An empty variable counts as unset, so it is omitted.
func nameVariables(k *kong.Kong) error {
	return kong.Visit(k.Model, func(node kong.Visitable, next kong.Next) error {
		if flag, ok := node.(*kong.Flag); ok && shared(flag) {
			flag.Envs = slices.DeleteFunc(variables(flag), empty)
			flag.Tag.Envs = flag.Envs
		}
		return next(nil)
	})
}

// empty reports whether a variable is set but empty.
func empty(variable string) bool {
	value, ok := os.LookupEnv(variable)
	return ok && value == ""
}

// resolver finds values of shared flags in the files that the environment and the command
// line name.
type resolver struct {
	loaded bool
	file   string
	values map[string]string
}

func (r *resolver) Validate(*kong.Application) error { return nil }

// Resolve implements kong.Resolver. nil leaves the value of the environment, or the
// default.
func (r *resolver) Resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	if !shared(flag) || flag.Name == "config" {
		return nil, nil
	}
	at := slices.IndexFunc(variables(flag), func(name string) bool { return os.Getenv(name) != "" })
	set := at >= 0
	if flag.Tag.Has("secret") {
		name := variable(flag) + fileSuffix
		path := os.Getenv(name)
		if path != "" && set {
			return nil, fmt.Errorf("%s and %s are both set: unset one of them", variable(flag), name)
		}
		if path != "" {
			return secretFrom(name, path)
		}
	}
	if set {
		name := variables(flag)[at]
		if !utf8.ValidString(os.Getenv(name)) {
			return nil, fmt.Errorf("%s is not UTF-8", name)
		}
		if err := try(flag.Name, os.Getenv(name)); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return nil, nil
	}
	if value, ok := r.values[flag.Name]; ok {
		return value, nil
	}
	return nil, nil
}

// secretFrom reads a secret from a file and removes the final line break. An empty file is
// an error: for example, without its database address a server would create a new
// database.
func secretFrom(variable, path string) (any, error) {
	content, err := readFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the secret that %s names: %w", variable, err)
	}
	secret := strings.TrimRight(string(content), "\r\n")
	if secret == "" {
		return nil, fmt.Errorf("the file that %s names is empty: write the secret into it, or unset the variable", variable)
	}
	return secret, nil
}

// load reads the configuration file once. Kong calls it before Resolve.
func (r *resolver) load(ctx *kong.Context) error {
	if r.loaded {
		return nil
	}
	r.loaded = true
	warnOldNames(ctx)
	for _, flag := range ctx.Flags() {
		if flag.Name == "config" && shared(flag) {
			r.file, _ = ctx.FlagValue(flag).(string) // nil if it is not given
		}
	}
	if r.file == "" {
		return nil
	}
	content, err := readFile(r.file)
	if err != nil {
		return fmt.Errorf("read the configuration file: %w", err)
	}
	if r.values, err = parseFile(content); err != nil {
		return fmt.Errorf("read the configuration file %s: %w", r.file, err)
	}
	for _, flag := range ctx.Flags() {
		for _, old := range flag.Aliases {
			if value, ok := r.values[old]; ok && shared(flag) {
				warnRenamed(ctx, old, flag.Name)
				if _, both := r.values[flag.Name]; !both {
					r.values[flag.Name] = value
				}
			}
		}
	}
	return nil
}

// warnOldNames logs a warning for each flag and variable given by an old name.
func warnOldNames(ctx *kong.Context) {
	for _, flag := range ctx.Flags() {
		for i, old := range flag.Aliases {
			if !shared(flag) {
				continue
			}
			if slices.ContainsFunc(ctx.Args, func(arg string) bool { return arg == "--"+old || strings.HasPrefix(arg, "--"+old+"=") }) {
				warnRenamed(ctx, "--"+old, "--"+flag.Name)
			}
			if names := variables(flag); os.Getenv(names[i+1]) != "" {
				warnRenamed(ctx, names[i+1], names[0])
			}
		}
	}
}

func warnRenamed(ctx *kong.Context, old, name string) {
	fmt.Fprintf(ctx.Stderr, "octavo: %s is now called %s; the old name still works\n", old, name)
}

func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(content) > maxFile {
		err = fmt.Errorf("%s has more than %d bytes", path, maxFile)
	}
	return content, err
}

// parseFile reads a YAML or JSON mapping of options to values, and returns each value as
// the command line would have it. Numbers keep their spelling.
func parseFile(content []byte) (map[string]string, error) {
	if strings.TrimSpace(string(content)) == "" {
		return nil, nil
	}
	var document map[string]yaml.Node
	if err := yaml.Load(content, &document); err != nil {
		return nil, err
	}
	table, err := new(Options).Table()
	if err != nil {
		return nil, err
	}
	known := map[string]Option{}
	for _, o := range table {
		if o.Name != "config" {
			known[o.Name] = o
			for _, old := range o.flag.Aliases {
				known[old] = o
			}
		}
	}
	values := map[string]string{}
	var all faults
	for _, name := range slices.Sorted(maps.Keys(document)) {
		node := document[name]
		option, ok := known[name]
		if !ok {
			all.add(true, "line %d: %q is not an option that a file can set; `octavo serve --help` lists them", node.Line, name)
			continue
		}
		value, err := option.flat(&node)
		if err == nil {
			err = try(name, value)
		}
		all.add(err != nil, "line %d: %s: %w", node.Line, name, err)
		values[name] = value
	}
	return values, errors.Join(all...)
}

// try parses a value like the command line. The error does not name the option.
func try(name, value string) error {
	parser, err := kong.New(new(Options), kong.NoDefaultHelp())
	if err != nil {
		return err
	}
	if _, err = parser.Parse([]string{"--" + name + "=" + value}); err != nil {
		return errors.New(strings.TrimLeft(strings.TrimPrefix(err.Error(), "--"+name), ": "))
	}
	return nil
}

// flat writes the option's node as text: a list with commas, a mapping as
// NAME=VALUE. A comma in a value is written \,.
func (o Option) flat(node *yaml.Node) (string, error) {
	var parts []string
	switch {
	case node.Kind == yaml.SequenceNode && !o.flag.IsSlice():
		return "", errors.New("takes no list")
	case node.Kind == yaml.MappingNode && !o.flag.IsMap():
		return "", errors.New("takes no mapping")
	}
	switch node.Kind {
	case yaml.ScalarNode:
		if node.Tag == "!!null" {
			return "", nil
		}
		return node.Value, nil
	case yaml.SequenceNode:
		for _, item := range node.Content {
			if item.Kind != yaml.ScalarNode {
				return "", errors.New("must be a list of plain values")
			}
			parts = append(parts, item.Value)
		}
	case yaml.MappingNode:
		for i := 0; i+1 < len(node.Content); i += 2 {
			if node.Content[i+1].Kind != yaml.ScalarNode {
				return "", errors.New("must be a mapping of names to plain values")
			}
			parts = append(parts, node.Content[i].Value+"="+node.Content[i+1].Value)
		}
	default:
		return "", errors.New("must be a plain value, a list or a mapping")
	}
	return kong.JoinEscaped(parts, ','), nil
}
