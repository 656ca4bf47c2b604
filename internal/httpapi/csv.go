package httpapi

import (
	"bytes"
	"encoding/csv"
	"strconv"
	"strings"

	"github.com/octavo-docs/octavo/internal/search/live"
)

// What a search is answered with for spreadsheets (decision 26, RFC 4180).
const (
	mediaCSV = "text/csv"
	csvType  = "text/csv; charset=utf-8; header=present"
)

// searchCSV encodes what was found as a table.
func searchCSV(found live.Found) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.UseCRLF = true
	_ = w.Write([]string{"id", "title", "score"}) // a buffer takes everything
	for i := range found.Hits {
		h := &found.Hits[i]
		_ = w.Write([]string{guardCell(h.ID), guardCell(h.Title), strconv.FormatFloat(h.Score, 'f', -1, 64)})
	}
	w.Flush()
	return b.Bytes()
}

// guardCell puts an apostrophe before what a spreadsheet would calculate.
func guardCell(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r\n", rune(text[0])) {
		return "'" + text
	}
	return text
}
