package yamlvalue

import (
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/octavo-docs/octavo"
)

// converter turns a syntax tree into a Value. An alias is written out each
// time it is used, so what aliases stand for is counted.
type converter struct {
	path    []string // names and indexes from the root to the current value
	aliases int      // that are being followed
	copied  int      // nodes visited by following aliases
	text    int      // bytes of scalars and keys visited so
}

func (c *converter) value(n *yaml.Node, depth int) (octavo.Value, *Error) {
	if c.aliases > 0 {
		if c.copied++; c.copied > maxAliasNodes {
			return octavo.Value{}, c.fault(n, "aliases expand to more than %d values", maxAliasNodes)
		}
	}
	if err := c.copy(n); err != nil {
		return octavo.Value{}, err
	}
	switch n.Kind {
	case yaml.AliasNode:
		// An alias inside its own target ends at the depth limit.
		c.aliases++
		v, err := c.value(n.Alias, depth)
		c.aliases--
		return v, err
	case yaml.SequenceNode:
		return c.sequence(n, depth+1)
	case yaml.MappingNode:
		return c.mapping(n, depth+1)
	}
	v, problem := scalar(n)
	if problem != "" {
		return octavo.Value{}, c.fault(n, "%s", problem)
	}
	return v, nil
}

// copy counts the text of a scalar or a key that is written out once more
// because of an alias.
func (c *converter) copy(n *yaml.Node) *Error {
	if c.aliases == 0 || n.Kind != yaml.ScalarNode {
		return nil
	}
	if c.text += len(n.Value); c.text > maxAliasBytes {
		return c.fault(n, "aliases expand to more than %d bytes of text", maxAliasBytes)
	}
	return nil
}

func (c *converter) sequence(n *yaml.Node, depth int) (octavo.Value, *Error) {
	v := octavo.Value{Kind: octavo.KindArray}
	if err := c.check(n, "!!seq", depth); err != nil {
		return v, err
	}
	for i, child := range n.Content {
		c.path = append(c.path, strconv.Itoa(i))
		item, err := c.value(child, depth)
		if err != nil {
			return v, err
		}
		c.path = c.path[:len(c.path)-1]
		v.Items = append(v.Items, item)
	}
	return v, nil
}

func (c *converter) mapping(n *yaml.Node, depth int) (octavo.Value, *Error) {
	v := octavo.Value{Kind: octavo.KindObject}
	if err := c.check(n, "!!map", depth); err != nil {
		return v, err
	}
	seen := make(map[string]bool, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, err := c.key(n.Content[i], n.Content[i+1])
		if err != nil {
			return v, err
		}
		c.path = append(c.path, name)
		if seen[name] {
			return v, c.fault(n.Content[i], "key %q occurs twice in one mapping", name)
		}
		seen[name] = true
		member, err := c.value(n.Content[i+1], depth)
		if err != nil {
			return v, err
		}
		c.path = c.path[:len(c.path)-1]
		v.Members = append(v.Members, octavo.Member{Name: name, Value: member})
	}
	return v, nil
}

// key returns the name of a member.
func (c *converter) key(k, value *yaml.Node) (string, *Error) {
	written := k
	if k.Kind == yaml.AliasNode {
		k = k.Alias
		c.aliases++
		defer func() { c.aliases-- }()
	}
	if err := c.copy(k); err != nil {
		return "", err
	}
	if k.Kind != yaml.ScalarNode {
		return "", c.fault(written, "a key must be a single value, not a sequence or mapping")
	}
	// YAML 1.2 dropped the merge key of YAML 1.1, so "<<" is an ordinary key. An author who
	// gives it a mapping intends a merge, so an error is better than a member of that name.
	if plain(k) && k.Value == "<<" && value.Kind != yaml.ScalarNode {
		return "", c.fault(written, "the merge key << is not part of YAML 1.2; write the members out")
	}
	return k.Value, nil
}

// check refuses a sequence or mapping that is too deep or has a foreign tag.
func (c *converter) check(n *yaml.Node, tag string, depth int) *Error {
	if depth > MaxDepth {
		return c.fault(n, "%s", tooDeep)
	}
	if n.Style&yaml.TaggedStyle != 0 && n.Tag != tag {
		return c.fault(n, "%s", unknownTag(n))
	}
	return nil
}

func (c *converter) fault(n *yaml.Node, format string, args ...any) *Error {
	escape := strings.NewReplacer("~", "~0", "/", "~1") // RFC 6901 section 3
	var pointer strings.Builder
	for _, part := range c.path {
		pointer.WriteByte('/')
		_, _ = escape.WriteString(&pointer, part) // a strings.Builder takes everything
	}
	return &Error{
		Line: max(n.Line, 1), Column: max(n.Column, 1),
		Pointer: pointer.String(), Message: fmt.Sprintf(format, args...),
	}
}
