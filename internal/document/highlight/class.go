package highlight

import (
	"github.com/alecthomas/chroma/v2"

	"github.com/octavo-docs/octavo/internal/document/token"
)

func classOf(t chroma.TokenType) token.Class {
	switch t {
	case chroma.KeywordConstant, chroma.NameConstant, chroma.NameBuiltinPseudo, chroma.LiteralStringBoolean:
		return token.Constant
	case chroma.KeywordType, chroma.NameClass, chroma.NameException, chroma.NameNamespace:
		return token.Type
	case chroma.NameFunction, chroma.NameFunctionMagic, chroma.NameBuiltin:
		return token.Function
	case chroma.NameTag, chroma.NameEntity:
		return token.Tag
	case chroma.NameAttribute, chroma.NameProperty:
		return token.Attribute
	case chroma.NameDecorator, chroma.NameLabel, chroma.CommentPreproc, chroma.CommentPreprocFile, chroma.CommentHashbang, chroma.GenericPrompt:
		return token.Directive
	case chroma.GenericInserted:
		return token.Added
	case chroma.GenericDeleted, chroma.GenericError, chroma.GenericTraceback:
		return token.Removed
	case chroma.GenericHeading, chroma.GenericSubheading:
		return token.Heading
	case chroma.GenericEmph:
		return token.Emphasis
	case chroma.GenericStrong:
		return token.Strong
	case chroma.GenericOutput:
		return token.Output
	case chroma.OperatorWord, chroma.NameKeyword:
		return token.Keyword
	}
	switch {
	case t.InSubCategory(chroma.LiteralString):
		return token.String
	case t.InSubCategory(chroma.LiteralNumber), t == chroma.LiteralDate:
		return token.Number
	case t.InSubCategory(chroma.NameVariable):
		return token.Variable
	case t.InCategory(chroma.Keyword):
		return token.Keyword
	case t.InCategory(chroma.Comment):
		return token.Comment
	case t.InCategory(chroma.Operator):
		return token.Operator
	case t.InCategory(chroma.Punctuation):
		return token.Punctuation
	}
	return token.Plain
}
