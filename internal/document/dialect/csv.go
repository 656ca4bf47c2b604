package dialect

import (
	"cmp"
	"encoding/csv"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/octavo-docs/octavo/internal/document/attribute"
)

// csvTable makes a list of rows, as of list-table, of the content of csv-table. Only the tool
// finds a file.
func csvTable(m Mark, options attribute.List) Mark {
	heads, _ := strconv.Atoi(options.String("header-rows")) // 0 without a number
	header := options.String("header")
	if header != "" {
		heads++
	}
	delimiter := map[string]string{"tab": "\t", "space": " "}[options.String("delim")]
	m.Attributes = with(nil, "header-rows", strconv.Itoa(heads))
	m.LeftOut = options.String("file", "url") != ""
	m.Hidden = m.LeftOut
	m.Becomes = func(text string) string {
		var list strings.Builder
		r := csv.NewReader(strings.NewReader(header + "\n" + text))
		r.Comma, _ = utf8.DecodeRuneInString(cmp.Or(delimiter, options.String("delim"), ","))
		r.LazyQuotes, r.TrimLeadingSpace, r.FieldsPerRecord = true, true, -1
		rows, _ := r.ReadAll() // up to an error
		for _, row := range rows {
			before := "* - "
			for _, cell := range row {
				list.WriteString(before + strings.ReplaceAll(strings.TrimSpace(cell), "\n", "\n    ") + "\n")
				before = "  - "
			}
		}
		return list.String()
	}
	return m
}
