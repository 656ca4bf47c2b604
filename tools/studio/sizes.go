package main

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// limits are the compressed bytes that a browser may load before it shows something: the
// frame around all screens, the text of a page, and the administration screens.
var limits = []struct {
	of, file string
	bytes    int
}{
	{"the shell", "app", 70_000},
	{"the editor", "pane", 180_000},
	{"running the site", "manage", 60_000},
}

// whole is how many bytes, compressed, all of Studio may be in one language.
const whole = 310_000

// imports finds what a module loads before it runs. What is loaded on demand is in
// parentheses.
var imports = regexp.MustCompile(`(?:from|import)"\./([^"]+)"`)

// sizes prints what browsers load, and fails where that is too much. Each line counts
// what those before it have not loaded.
func sizes(made map[string][]byte) error {
	var problems []error
	loaded := map[string]bool{}
	for _, limit := range limits {
		sum := 0
		var load func(name string) error
		load = func(name string) error {
			if loaded[name] {
				return nil
			}
			loaded[name] = true
			packed, err := pack(made[name])
			if err != nil {
				return err
			}
			sum += len(packed)
			for _, found := range imports.FindAllSubmatch(made[name], -1) {
				if err := load(string(found[1])); err != nil {
					return err
				}
			}
			return nil
		}
		for _, name := range slices.Sorted(maps.Keys(made)) {
			if base, _, _ := strings.Cut(name, "-"); base == limit.file || strings.HasPrefix(name, limit.file+".") {
				if err := load(name); err != nil {
					return err
				}
			}
		}
		fmt.Printf("studio: %s is %d bytes of %d\n", limit.of, sum, limit.bytes)
		if sum > limit.bytes {
			problems = append(problems, fmt.Errorf("%s is %d bytes, of which %d are allowed", limit.of, sum, limit.bytes))
		}
	}
	sum := 0
	for name, text := range made {
		packed, err := pack(text)
		if err != nil {
			return err
		}
		if !strings.HasPrefix(name, "de-") { // words of German
			sum += len(packed)
		}
	}
	fmt.Printf("studio: all of it is %d bytes of %d\n", sum, whole)
	if sum > whole {
		problems = append(problems, fmt.Errorf("all of Studio is %d bytes, of which %d are allowed", sum, whole))
	}
	return errors.Join(problems...)
}
