package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// Mistyped tells, a sentence each, which variables of an environment are
// nearly those of an option of some command, and so have no effect though they
// were meant to. One that is like none is somebody else's: Kubernetes sets
// OCTAVO_PORT in every container beside a service called octavo.
func Mistyped(commands *kong.Application, environ []string) ([]string, error) {
	known, inFiles := map[string]bool{}, map[string]bool{}
	err := kong.Visit(commands, func(node kong.Visitable, next kong.Next) error {
		if flag, ok := node.(*kong.Flag); ok {
			names := flag.Envs
			if shared(flag) {
				names = []string{variable(flag)} // also where it is empty
			}
			for _, name := range names {
				known[name] = true
				if flag.Tag.Has("secret") {
					known[name+fileSuffix], inFiles[name] = true, true
				}
			}
		}
		return next(nil)
	})
	if err != nil {
		return nil, fmt.Errorf("read the options: %w", err)
	}
	var told []string
	for _, entry := range slices.Sorted(slices.Values(environ)) {
		name, value, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(name, variablePrefix) || known[name] || value == "" {
			continue
		}
		if option, ok := strings.CutSuffix(name, fileSuffix); ok && known[option] && !inFiles[option] {
			told = append(told, fmt.Sprintf("%s has no effect: %s is read from the variable itself, not from a file", name, option))
		} else if nearest := nearest(name, sortedKeys(known)); nearest != "" {
			told = append(told, fmt.Sprintf("%s has no effect: did you mean %s?", name, nearest))
		}
	}
	return told, nil
}

// nearest returns which of names a variable was meant to be; "" when it is
// like none. One mistake in four letters is taken for a slip, up to three.
func nearest(variable string, names []string) string {
	mistakes := func(name string) int { return distance(variable, name) }
	best := slices.MinFunc(names, func(a, b string) int { return cmp.Compare(mistakes(a), mistakes(b)) })
	if mistakes(best) > min(3, max(1, (len(variable)-len(variablePrefix))/4)) {
		return ""
	}
	return best
}

// distance counts the letters to add, leave out, change, or swap with their
// neighbour to make b of a (optimal string alignment).
func distance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			other := 1
			if a[i-1] == b[j-1] {
				other = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+other)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
