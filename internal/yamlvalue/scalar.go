package yamlvalue

import (
	"cmp"
	"fmt"
	"math/big"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/octavo-docs/octavo"
)

// maxRadixDigits bounds hexadecimal and octal numbers, which cost more than
// linear time to write in decimal.
const maxRadixDigits = 256

// plain reports whether a scalar is written without quotes, block or tag, so
// that its type follows from its text.
func plain(n *yaml.Node) bool {
	const explicit = yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle | yaml.TaggedStyle
	return n.Style&explicit == 0 && n.Tag != "!"
}

// scalar resolves a scalar by the core schema (YAML 1.2.2 section 10.3.2) and
// returns its value or what is wrong with it.
func scalar(n *yaml.Node) (octavo.Value, string) {
	if n.Style&yaml.TaggedStyle == 0 {
		if plain(n) {
			return resolve(n.Value)
		}
		return octavo.String(n.Value), ""
	}
	if n.Tag == "!!str" {
		return octavo.String(n.Value), ""
	}
	wanted, known := map[string]octavo.Kind{
		"!!null": octavo.KindNull, "!!bool": octavo.KindBool, "!!int": octavo.KindNumber, "!!float": octavo.KindNumber,
	}[n.Tag]
	if !known {
		return octavo.Value{}, unknownTag(n)
	}
	v, problem := resolve(n.Value)
	if problem == "" && (v.Kind != wanted || n.Tag == "!!int" && strings.ContainsAny(v.Str, ".eE")) {
		problem = fmt.Sprintf("%q is not of the type %s", n.Value, n.Tag)
	}
	return v, problem
}

func unknownTag(n *yaml.Node) string {
	return fmt.Sprintf("the tag %s is not one of YAML's core types, or does not fit here", n.Tag)
}

// resolve gives plain text the type that the core schema sees in it.
func resolve(text string) (octavo.Value, string) {
	switch text {
	case "", "~", "null", "Null", "NULL":
		return octavo.Value{}, ""
	case "true", "True", "TRUE":
		return octavo.Value{Kind: octavo.KindBool, Bool: true}, ""
	case "false", "False", "FALSE":
		return octavo.Value{Kind: octavo.KindBool}, ""
	case ".nan", ".NaN", ".NAN":
		return octavo.Value{}, "the number " + text + " cannot be expressed in JSON"
	}
	switch strings.TrimLeft(text[:1], "+-") + text[1:] {
	case ".inf", ".Inf", ".INF":
		return octavo.Value{}, "the number " + text + " cannot be expressed in JSON"
	}
	literal, problem := radix(text)
	if literal == "" && problem == "" {
		literal = decimal(text)
	}
	if literal == "" {
		return octavo.String(text), problem
	}
	return octavo.Value{Kind: octavo.KindNumber, Str: literal}, problem
}

// radix returns the decimal form of 0o17 and 0x1F, or "" for other text.
func radix(text string) (literal, problem string) {
	base, digits := 16, ""
	if rest, ok := strings.CutPrefix(text, "0x"); ok {
		digits = rest
	} else if rest, ok := strings.CutPrefix(text, "0o"); ok {
		base, digits = 8, rest
	}
	valid := "0123456789abcdefABCDEF"
	if base == 8 {
		valid = "01234567"
	}
	if digits == "" || strings.Trim(digits, valid) != "" {
		return "", ""
	}
	if len(digits) > maxRadixDigits {
		return "", fmt.Sprintf("the number has more than %d digits", maxRadixDigits)
	}
	n, _ := new(big.Int).SetString(digits, base)
	return n.String(), ""
}

// decimal returns a decimal number as JSON writes it, or "" for other text.
// What JSON forbids is mended: a plus sign, leading zeros, and a point without
// digits on one side.
func decimal(text string) string {
	sign, rest := "", text
	switch text[0] {
	case '-':
		sign, rest = "-", text[1:]
	case '+':
		rest = text[1:]
	}
	whole, rest := digits(rest)
	fraction := ""
	if point, ok := strings.CutPrefix(rest, "."); ok {
		fraction, rest = digits(point)
	}
	if whole == "" && fraction == "" {
		return ""
	}
	exponent := ""
	if rest != "" {
		if rest[0] != 'e' && rest[0] != 'E' {
			return ""
		}
		power, after := digits(strings.TrimPrefix(strings.TrimPrefix(rest[1:], "-"), "+"))
		if power == "" || after != "" || strings.HasPrefix(rest[1:], "-+") {
			return ""
		}
		exponent = rest
	}
	whole = cmp.Or(strings.TrimLeft(whole, "0"), "0")
	if fraction != "" {
		fraction = "." + fraction
	}
	return sign + whole + fraction + exponent
}

// digits divides s after its leading decimal digits.
func digits(s string) (leading, rest string) {
	i := 0
	for i < len(s) && '0' <= s[i] && s[i] <= '9' {
		i++
	}
	return s[:i], s[i:]
}
