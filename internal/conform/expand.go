package conform

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// maxText limits an expanded text in bytes.
const maxText = 16 << 20

// placeholder is one ${...} in a text.
type placeholder struct {
	start, end int    // in the text
	verb       string // "" for a plain value
	name       string // of a value or credential; the text of a fill
	count      int    // of a fill
}

// The text of a fill may contain braces: it ends before the first number followed by one.
var placeholderForm = regexp.MustCompile(`\$\{(?:(fill) ((?s:.+?)) (\d+)|(?:(quote|query|alter|cut|secret) )?([A-Za-z][A-Za-z0-9_-]*))\}`)

// placeholders finds the placeholders in text. Any other "${" is an error, probably a
// typing mistake.
func placeholders(text string) ([]placeholder, error) {
	var list []placeholder
	for at := 0; ; {
		i := strings.Index(text[at:], "${")
		if i < 0 {
			return list, nil
		}
		m := placeholderForm.FindStringSubmatchIndex(text[at:])
		if m == nil || m[0] != i {
			return nil, fmt.Errorf("%.40q is no placeholder", text[at+i:])
		}
		group := func(n int) string {
			if m[2*n] < 0 {
				return ""
			}
			return text[at+m[2*n] : at+m[2*n+1]]
		}
		p := placeholder{start: at + m[0], end: at + m[1], verb: group(4), name: group(5)}
		if group(1) != "" {
			count, err := strconv.Atoi(group(3))
			if err != nil || count > maxText {
				return nil, fmt.Errorf("a text cannot be repeated %s times", group(3))
			}
			p.verb, p.name, p.count = "fill", group(2), count
		}
		list = append(list, p)
		at = p.end
	}
}

// values are the values of placeholders in one script of one run.
type values struct {
	named       map[string]string // base, unique, parameters, captures
	credentials map[string]Credential
}

// expand replaces the placeholders in text.
func (v *values) expand(text string) (string, error) {
	return v.replace(text, func(s string) string { return s })
}

// expandPattern replaces the placeholders in a regular expression by patterns that match
// exactly their values.
func (v *values) expandPattern(text string) (string, error) {
	return v.replace(text, regexp.QuoteMeta)
}

func (v *values) replace(text string, quote func(string) string) (string, error) {
	list, err := placeholders(text)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	at := 0
	for _, p := range list {
		value, err := v.value(p)
		if err != nil {
			return "", err
		}
		b.WriteString(text[at:p.start])
		b.WriteString(quote(value))
		at = p.end
		if b.Len() > maxText {
			return "", fmt.Errorf("the text expands to more than %d bytes", maxText)
		}
	}
	b.WriteString(text[at:])
	return b.String(), nil
}

func (v *values) value(p placeholder) (string, error) {
	switch p.verb {
	case "fill":
		return fill(p.name, p.count)
	case "secret":
		credential, ok := v.credentials[p.name]
		if !ok {
			return "", fmt.Errorf("the run has no credential named %q", p.name)
		}
		return credential.Secret, nil
	}
	value, ok := v.named[p.name]
	if !ok {
		return "", fmt.Errorf("nothing named %q was captured", p.name)
	}
	switch p.verb {
	case "quote":
		quoted, err := json.Marshal(value)
		return string(quoted), err
	case "query":
		return url.QueryEscape(value), nil
	case "alter":
		return alter(value), nil
	case "cut":
		return value[:max(0, len(value)-1)], nil
	}
	return value, nil
}

// fill repeats text count times, with the number of the repetition, from 1, for %d.
func fill(text string, count int) (string, error) {
	if len(text)*count > maxText {
		return "", fmt.Errorf("%q, %d times, is more than %d bytes", text, count, maxText)
	}
	if !strings.Contains(text, "%d") {
		return strings.Repeat(text, count), nil
	}
	var b strings.Builder
	for i := 1; i <= count; i++ {
		b.WriteString(strings.ReplaceAll(text, "%d", strconv.Itoa(i)))
	}
	return b.String(), nil
}

// alter changes the letter in the middle of s.
func alter(s string) string {
	if s == "" {
		return "A"
	}
	b := []byte(s)
	i := len(b) / 2
	if b[i] == 'A' {
		b[i] = 'B'
	} else {
		b[i] = 'A'
	}
	return string(b)
}

// masked prepares a text for a report: secrets and long fills stay placeholders.
func (v *values) masked(text string) string {
	list, err := placeholders(text)
	if err != nil {
		return text
	}
	var b strings.Builder
	at := 0
	for _, p := range list {
		b.WriteString(text[at:p.start])
		value, err := v.value(p)
		if err != nil || p.verb == "secret" || len(value) > 80 {
			value = text[p.start:p.end]
		}
		b.WriteString(value)
		at = p.end
	}
	return b.String() + text[at:]
}
