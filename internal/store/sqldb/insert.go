package sqldb

import (
	"fmt"
	"strings"
)

// insertSizes are the numbers of rows of one insert statement. There are
// few, so that there are few different texts to prepare.
func insertSizes() [4]int { return [4]int{32, 8, 2, 1} }

// Inserter inserts rows into one table, several with each statement.
type Inserter struct {
	Width int // columns, and so values of a row
	texts [4]string
}

// NewInserter prepares the statement texts. suffix follows the rows, such as
// ON CONFLICT.
func NewInserter(table, columns, suffix string) Inserter {
	in := Inserter{Width: strings.Count(columns, ",") + 1}
	for i, size := range insertSizes() {
		var a Args
		rows := make([]string, size)
		for r := range rows {
			places := make([]string, in.Width)
			for c := range places {
				places[c] = a.Add(nil)
			}
			rows[r] = "(" + strings.Join(places, ", ") + ")"
		}
		in.texts[i] = "INSERT INTO " + table + " (" + columns + ") VALUES " + strings.Join(rows, ", ") + suffix
	}
	return in
}

// Insert writes the rows, whose values follow one another in values.
func (tx *Tx) Insert(in Inserter, values []any) error {
	for i, size := range insertSizes() {
		for n := size * in.Width; len(values) >= n; values = values[n:] {
			if _, err := tx.Exec(in.texts[i], values[:n]...); err != nil {
				return err
			}
		}
	}
	if len(values) > 0 {
		return fmt.Errorf("%d values are left over for rows of %d", len(values), in.Width)
	}
	return nil
}
