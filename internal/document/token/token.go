// Package token has what code is divided into for colouring: tokens of a few
// classes. Package highlight divides it, and renderings, which need not know how,
// give each class a look.
package token

// Class tells what a token is, as far as colours distinguish it.
type Class uint8

// The classes.
const (
	Plain Class = iota
	Comment
	Keyword
	Type
	Function
	Variable
	Constant
	Number
	String
	Operator
	Punctuation
	Tag
	Attribute
	Directive // of a preprocessor, decorator or command line
	Heading
	Emphasis
	Strong
	Added
	Removed
	Output
)

// String returns the name of the class in lower case, "" for Plain.
func (c Class) String() string {
	return [...]string{
		"", "comment", "keyword", "type", "function", "variable", "constant", "number", "string", "operator",
		"punctuation", "tag", "attribute", "directive", "heading", "emphasis", "strong", "added", "removed", "output",
	}[c]
}

// Token is a piece of code of one class.
type Token struct {
	Class Class
	Text  string
}
