// Package token defines the tokens of highlighted code. Package highlight makes them and
// renderings choose the look of each class, independently of each other.
package token

// Class is the category of a token for colouring.
type Class uint8

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
	Directive // a preprocessor directive, decorator or command line
	Heading
	Emphasis
	Strong
	Added
	Removed
	Output
)

// String returns the lower-case name, "" for Plain.
func (c Class) String() string {
	return [...]string{
		"", "comment", "keyword", "type", "function", "variable", "constant", "number", "string", "operator",
		"punctuation", "tag", "attribute", "directive", "heading", "emphasis", "strong", "added", "removed", "output",
	}[c]
}

// Token is a piece of code with its class.
type Token struct {
	Class Class
	Text  string
}
