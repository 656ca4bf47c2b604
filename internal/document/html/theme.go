package html

import (
	_ "embed"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Theme is the colours of a page (decision 53).
type Theme struct {
	Name   string            // light, dark or system; "" is system
	Tokens map[string]string // values of the variables --oct-NAME, by NAME
}

//go:embed style.css
var fragmentSheet string

//go:embed page.css
var pageSheet string

// StyleSheet returns the style sheet of fragments, which must be in an element of class "oct";
// a Theme adds more classes.
func StyleSheet() string { return fragmentSheet }

var (
	tokenName  = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*$`)
	tokenValue = regexp.MustCompile(`^[A-Za-z0-9#%.,()/ +*'"-]{1,200}$`)
	tokenCalls = regexp.MustCompile(`(?i)(url|image|image-set|cross-fade|element|expression|src|attr|env)\s*\(`)
)

// Class returns the classes of the element around a fragment.
func (t Theme) Class() string {
	switch t.Name {
	case "light":
		return "oct"
	case "dark":
		return "oct oct-dark"
	}
	return "oct oct-system"
}

// CSS returns the rule that sets the tokens, and the names of rejected ones: the name is
// invalid, or the value could load something or end its declaration.
func (t Theme) CSS() (rule string, rejected []string) {
	for _, name := range slices.Sorted(maps.Keys(t.Tokens)) {
		value := strings.TrimSpace(t.Tokens[name])
		if !tokenName.MatchString(name) || !tokenValue.MatchString(value) || tokenCalls.MatchString(value) || !balanced(value) || strings.Contains(value, "/*") {
			rejected = append(rejected, name)
		} else {
			rule += fmt.Sprintf("\t--oct-%s: %s;\n", name, value)
		}
	}
	if rule != "" {
		rule = ".oct.oct {\n" + rule + "}\n" // more specific than the built-in theme
	}
	return rule, rejected
}

// balanced reports whether quotes and brackets are closed.
func balanced(s string) bool {
	quote, depth := rune(0), 0
	for _, c := range s {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth < 0 {
				return false
			}
		}
	}
	return quote == 0 && depth == 0
}
