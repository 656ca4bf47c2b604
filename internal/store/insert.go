package store

import (
	"fmt"
	"strings"
)

// insertSizes are how many rows one statement inserts, so that there are few
// different texts to prepare.
func insertSizes() [4]int { return [4]int{32, 8, 2, 1} }

// inserter inserts rows into one table, several with each statement.
type inserter struct {
	width int // columns
	texts [4]string
}

// newInserter makes the statements. suffix is what follows the rows, such as
// ON CONFLICT.
func newInserter(table, columns, suffix string) inserter {
	in := inserter{width: strings.Count(columns, ",") + 1}
	for i, size := range insertSizes() {
		var a args
		rows := make([]string, size)
		for r := range rows {
			places := make([]string, in.width)
			for c := range places {
				places[c] = a.add(nil)
			}
			rows[r] = "(" + strings.Join(places, ", ") + ")"
		}
		in.texts[i] = "INSERT INTO " + table + " (" + columns + ") VALUES " + strings.Join(rows, ", ") + suffix
	}
	return in
}

// insert writes the rows, which stand in values one after the other.
func (tx *Tx) insert(in inserter, values []any) error {
	for i, size := range insertSizes() {
		for n := size * in.width; len(values) >= n; values = values[n:] {
			if _, err := tx.exec(in.texts[i], values[:n]...); err != nil {
				return err
			}
		}
	}
	if len(values) > 0 {
		return fmt.Errorf("%d values are left over for rows of %d", len(values), in.width)
	}
	return nil
}
