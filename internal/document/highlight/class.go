package highlight

import "github.com/alecthomas/chroma/v2"

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

// Classes returns all classes but Plain.
func Classes() []Class {
	var all []Class
	for c := Comment; c <= Output; c++ {
		all = append(all, c)
	}
	return all
}

// classOf returns the class of a type of chroma.
func classOf(t chroma.TokenType) Class {
	switch t {
	case chroma.KeywordConstant, chroma.NameConstant, chroma.NameBuiltinPseudo, chroma.LiteralStringBoolean:
		return Constant
	case chroma.KeywordType, chroma.NameClass, chroma.NameException, chroma.NameNamespace:
		return Type
	case chroma.NameFunction, chroma.NameFunctionMagic, chroma.NameBuiltin:
		return Function
	case chroma.NameTag, chroma.NameEntity:
		return Tag
	case chroma.NameAttribute, chroma.NameProperty:
		return Attribute
	case chroma.NameDecorator, chroma.NameLabel, chroma.CommentPreproc, chroma.CommentPreprocFile, chroma.CommentHashbang, chroma.GenericPrompt:
		return Directive
	case chroma.GenericInserted:
		return Added
	case chroma.GenericDeleted, chroma.GenericError, chroma.GenericTraceback:
		return Removed
	case chroma.GenericHeading, chroma.GenericSubheading:
		return Heading
	case chroma.GenericEmph:
		return Emphasis
	case chroma.GenericStrong:
		return Strong
	case chroma.GenericOutput:
		return Output
	case chroma.OperatorWord, chroma.NameKeyword:
		return Keyword
	}
	switch {
	case t.InSubCategory(chroma.LiteralString):
		return String
	case t.InSubCategory(chroma.LiteralNumber), t == chroma.LiteralDate:
		return Number
	case t.InSubCategory(chroma.NameVariable):
		return Variable
	case t.InCategory(chroma.Keyword):
		return Keyword
	case t.InCategory(chroma.Comment):
		return Comment
	case t.InCategory(chroma.Operator):
		return Operator
	case t.InCategory(chroma.Punctuation):
		return Punctuation
	}
	return Plain
}
