package conform

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Nobody is the credential name for no credential.
const Nobody = "nobody"

type Script struct {
	Name      string   // the file name, for reports
	Decisions []int    // the numbers after "decision" in the Shows part
	Needs     []string // credentials and parameters, sorted, each once
	blocks    []*block
}

// block is a request with its expectations.
type block struct {
	line         int
	method       string
	target       string
	as           string // name of a credential, or Nobody
	header       []field
	body         string
	hasBody      bool
	pad          int // bytes; 0 means no padding
	repeat       int
	undocumented bool
	steps        []step // expectations and captures, in their order
}

// field is a header line of a request.
type field struct{ name, value string }

// expects reports whether the block names exactly this status.
func (b *block) expects(status string) bool {
	return slices.ContainsFunc(b.steps, func(s step) bool { return s.isStatus() && s.want == status })
}

// parser reads a script line by line.
type parser struct {
	script    *Script
	lines     []string
	next      int // index of the next line
	defaultAs string
	known     map[string]bool // names defined so far for ${}
	needs     map[string]bool
}

// Parse reads a script. Its errors begin with NAME:LINE.
func Parse(name, text string) (*Script, error) {
	p := &parser{
		script:    &Script{Name: name},
		lines:     strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n"),
		defaultAs: Nobody,
		known:     map[string]bool{"base": true, "unique": true},
		needs:     map[string]bool{},
	}
	if err := p.parse(); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", name, p.next, err)
	}
	p.script.Needs = slices.Sorted(maps.Keys(p.needs))
	return p.script, nil
}

func (p *parser) parse() error {
	if err := p.opening(); err != nil {
		return err
	}
	var b *block
	for p.next < len(p.lines) {
		line := p.lines[p.next]
		p.next++
		var err error
		switch {
		case strings.HasPrefix(line, "#"):
		case strings.TrimSpace(line) == "":
			err, b = p.finish(b), nil
		case b == nil && requestLine.MatchString(line):
			b = p.begin(line)
			err = p.check(b.target)
		case b == nil && len(p.script.blocks) == 0:
			err = p.setting(line)
		case b == nil:
			err = fmt.Errorf("a block begins with a method and a path, not %q", line)
		default:
			err = p.line(b, line)
		}
		if err != nil {
			return err
		}
	}
	if err := p.finish(b); err != nil {
		return err
	}
	if len(p.script.blocks) == 0 {
		return fmt.Errorf("the script has no request")
	}
	return nil
}

var (
	requestLine = regexp.MustCompile(`^[A-Z]+ \S`)
	headerLine  = regexp.MustCompile(`^([A-Za-z0-9-]+):[ \t]*(.*)$`)
	bareName    = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*$`)
	decisions   = regexp.MustCompile(`decisions?((?:,| and| \d+)+)`)
	numbers     = regexp.MustCompile(`\d+`)
)

// opening parses the comment at the start of a script.
func (p *parser) opening() error {
	var comment []string
	for p.next < len(p.lines) && strings.HasPrefix(p.lines[p.next], "#") {
		comment = append(comment, strings.TrimSpace(p.lines[p.next][1:]))
		p.next++
	}
	_, shows, found := strings.Cut(strings.Join(comment, " "), "Shows: ")
	if !found {
		return fmt.Errorf("a script opens with a comment that says why it exists and ends in \"Shows: \" and what it shows")
	}
	for _, list := range decisions.FindAllStringSubmatch(shows, -1) {
		for _, digits := range numbers.FindAllString(list[1], -1) {
			n, err := strconv.Atoi(digits)
			if err != nil {
				return fmt.Errorf("decision %s: %w", digits, err)
			}
			p.script.Decisions = append(p.script.Decisions, n)
		}
	}
	return nil
}

// setting parses a line between the opening comment and the first block.
func (p *parser) setting(line string) error {
	word, rest, _ := strings.Cut(line, " ")
	names := strings.Fields(rest)
	for _, name := range names {
		if !bareName.MatchString(name) {
			return fmt.Errorf("%q is no name", name)
		}
	}
	switch {
	case word == "as" && len(names) == 1:
		p.defaultAs = names[0]
	case word == "requires" && len(names) > 0:
		for _, name := range names {
			p.needs[name], p.known[name] = true, true
		}
	default:
		return fmt.Errorf("before the first request stands \"as NAME\" or \"requires NAME ...\", not %q", line)
	}
	return nil
}

func (p *parser) begin(line string) *block {
	method, target, _ := strings.Cut(line, " ")
	return &block{line: p.next, method: method, target: strings.TrimSpace(target), as: p.defaultAs, repeat: 1}
}

// finish ends a block.
func (p *parser) finish(b *block) error {
	if b == nil {
		return nil
	}
	if !slices.ContainsFunc(b.steps, step.isStatus) {
		return fmt.Errorf("the block at line %d does not say which status it expects", b.line)
	}
	if b.as != Nobody {
		p.needs[b.as] = true
	}
	p.script.blocks = append(p.script.blocks, b)
	return nil
}

// line parses a line of a block after its request line.
func (p *parser) line(b *block, line string) error {
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "json:", "yaml:", "raw:":
		return p.body(b, strings.TrimSuffix(word, ":"), rest)
	case "as":
		if !bareName.MatchString(rest) {
			return fmt.Errorf("\"as\" needs the name of a credential, not %q", rest)
		}
		b.as = rest
		return nil
	case "pad", "repeat":
		n, err := strconv.Atoi(rest)
		if err != nil || n < 1 || n > maxText {
			return fmt.Errorf("%q needs a number from 1 to %d, not %q", word, maxText, rest)
		}
		if word == "pad" {
			b.pad = n
		} else {
			b.repeat = n
		}
		return nil
	case "undocumented":
		b.undocumented = true
		return nil
	case "status", "header", "body", "json", "schema", "capture":
		return p.step(b, word, rest, line)
	}
	if m := headerLine.FindStringSubmatch(line); m != nil {
		b.header = append(b.header, field{m[1], m[2]})
		return p.check(m[2])
	}
	return fmt.Errorf("%q is neither a header, a body, an expectation nor a capture", line)
}

func (p *parser) body(b *block, kind, rest string) error {
	if b.hasBody {
		return fmt.Errorf("the block has a body already")
	}
	text, err := p.fenced(rest)
	if err != nil {
		return err
	}
	mediaType := map[string]string{"json": "application/json", "yaml": "application/x-yaml"}[kind]
	if kind == "raw" {
		if text, err = strconv.Unquote(rest); err != nil {
			return fmt.Errorf("a raw body is a string in Go syntax, not %s", rest)
		}
	} else {
		// First, so that a Content-Type line in the block wins.
		b.header = slices.Insert(b.header, 0, field{contentType, mediaType})
	}
	b.body, b.hasBody = text, true
	return p.check(text)
}

// fenced returns the text of an operand: the rest of the line or, after <<<, the lines up
// to >>>, each with its line break.
func (p *parser) fenced(rest string) (string, error) {
	if strings.TrimSpace(rest) != "<<<" {
		return rest, nil
	}
	start := p.next
	for ; p.next < len(p.lines); p.next++ {
		if p.lines[p.next] == ">>>" {
			text := strings.Join(p.lines[start:p.next], "\n")
			p.next++
			if p.next-1 > start {
				text += "\n"
			}
			return text, nil
		}
	}
	p.next = start
	return "", fmt.Errorf("the text that begins with <<< does not end in >>>")
}

// check checks that every name used in text is defined at this line.
func (p *parser) check(text string) error {
	uses, err := placeholders(text)
	if err != nil {
		return err
	}
	for _, use := range uses {
		switch {
		case use.verb == "secret":
			p.needs[use.name] = true
		case use.verb != "fill" && !p.known[use.name]:
			return fmt.Errorf("nothing named %q was captured or required before", use.name)
		}
	}
	return nil
}
