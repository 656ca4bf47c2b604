package sqldb

import (
	"strconv"
	"strings"
)

// unnamed returns a statement of SQLite with ? for its parameters where these
// are $1, $2 and so on, each once and in order, and any other as it is. To
// SQLite $1 is a name, and whoever binds to a hundred of them has it look
// through a hundred names a hundred times.
func unnamed(query string) string {
	if strings.Contains(query, "--") || strings.Contains(query, "/*") {
		return query // in a comment nothing is a parameter
	}
	var out strings.Builder
	out.Grow(len(query))
	number, quote, done := 0, byte(0), 0
	for i := 0; i < len(query); i++ {
		switch c := query[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '?':
			return query
		case c == '$':
			number++
			end := i + 1
			for end < len(query) && '0' <= query[end] && query[end] <= '9' {
				end++
			}
			if query[i+1:end] != strconv.Itoa(number) {
				return query
			}
			out.WriteString(query[done:i])
			out.WriteByte('?')
			i, done = end-1, end
		}
	}
	out.WriteString(query[done:])
	return out.String()
}
