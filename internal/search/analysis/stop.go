package analysis

import "unicode/utf8"

// StopWord reports whether a term is a common word that says little about
// the subject. Stop words count less; they are never left out, because a
// quoted phrase may need them.
func StopWord(term string) bool {
	switch term {
	case "about", "after", "all", "also", "am", "another", "been", "being", "but", "could", "did", "each", "every", "had", "he", "her", "here", "his",
		"just", "like", "may", "might", "more", "most", "much", "must", "not", "now", "only", "other", "own", "same", "she", "such",
		"than", "them", "then", "they", "too", "us", "very", "want", "were", "while", "whom", "whose", "yours", "ours", "let",
		"a", "an", "and", "any", "are", "as", "at", "be", "by", "can", "do", "does", "for", "from",
		"has", "have", "how", "i", "if", "in", "into", "is", "it", "its", "me", "my", "of", "on", "or",
		"our", "should", "so", "some", "that", "the", "their", "there", "these", "this", "those", "to",
		"via", "was", "we", "what", "when", "where", "which", "who", "why", "will", "with", "would", "you", "your",
		"dont", "doesnt", "didnt", "isnt", "arent", "wasnt", "cant", "wont", "couldnt", "shouldnt", "wouldnt", "hasnt", "havent":
		return true
	}
	return false
}

// Contraction reports whether two parts of a word come from don't, we'll and
// the like: they say as little as stop words.
func Contraction(first, second string) bool {
	switch second {
	case "t":
		switch first {
		case "don", "doesn", "didn", "isn", "aren", "wasn", "weren", "won", "can", "couldn", "shouldn", "wouldn", "hasn", "haven", "hadn",
			"ain", "mustn", "needn", "mightn", "shan":
			return true
		}
	case "m", "d", "ll", "re", "ve":
		switch first {
		case "i", "you", "he", "she", "it", "we", "they", "that", "this", "there", "here", "who", "what", "how", "where":
			return true
		}
	}
	return false
}

// FunctionGram reports whether a pair of characters contains one that is mostly
// grammatical in Chinese or Japanese, so that the pair is seldom a word.
func FunctionGram(gram string) bool {
	for _, r := range gram {
		if functionCharacter(r) {
			return true
		}
	}
	return utf8.RuneCountInString(gram) == 0
}

func functionCharacter(r rune) bool {
	switch r {
	case '的', '了', '是', '在', '和', '与', '或', '吗', '呢', '么', '及', '把', '被', '这', '那', '我', '你', '它',
		'は', 'が', 'を', 'に', 'で', 'の', 'と', 'も', 'へ':
		return true
	}
	return false
}
