package sqldb

import "testing"

func TestUnnamed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ query, want string }{
		{"SELECT 1", "SELECT 1"},
		{"SELECT a FROM b WHERE c = $1 AND d IN ($2, $3)", "SELECT a FROM b WHERE c = ? AND d IN (?, ?)"},
		{"VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)", "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"},
		{"SELECT '$1', \"it's\", '''$9', $1", "SELECT '$1', \"it's\", '''$9', ?"},
		{"SELECT $1, $1", "SELECT $1, $1"},
		{"SELECT $2, $1", "SELECT $2, $1"},
		{"SELECT $1, $3", "SELECT $1, $3"},
		{"SELECT $01, $name", "SELECT $01, $name"},
		{"SELECT $1, ?", "SELECT $1, ?"},
		{"SELECT $1 -- $2", "SELECT $1 -- $2"},
		{"SELECT $1 /* $2 */", "SELECT $1 /* $2 */"},
	} {
		if have := unnamed(c.query); have != c.want {
			t.Errorf("unnamed(%q): have %q, want %q", c.query, have, c.want)
		}
	}
}
