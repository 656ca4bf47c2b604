package sqldb

import (
	"strconv"
	"strings"
)

// unnamed replaces the parameters $1, $2 and so on of an SQLite statement by ?, if each
// occurs once and in order. Other statements are returned unchanged. SQLite treats $1
// as a name, so binding a hundred of them searches a hundred names a hundred times.
func unnamed(query string) string {
	if strings.Contains(query, "--") || strings.Contains(query, "/*") {
		return query // comments have no parameters
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
