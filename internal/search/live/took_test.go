package live

import (
	"log/slog"
	"testing"
	"time"

	"github.com/octavo-docs/octavo/internal/search"
)

// TestSavingTakesAsLongAsItTakes: the next snapshot waits for a hundred times as
// long as this one took, whatever the clock of the database was set to meanwhile.
func TestSavingTakesAsLongAsItTakes(t *testing.T) {
	t.Parallel()
	for _, step := range []time.Duration{3 * time.Hour, -3 * time.Hour} {
		machine, now := time.Unix(1e9, 0), time.Unix(1e9, 0)
		s := New(Options{
			Machine: func() time.Time { machine = machine.Add(time.Second); return machine },
			Now:     func() time.Time { now = now.Add(step); return now },
			Log:     slog.New(slog.DiscardHandler), Folder: t.TempDir(),
		})
		index := search.New(search.Config{})
		if err := index.Apply(t.Context(), 1, nil); err != nil {
			t.Fatal(err)
		}
		file := s.openSnapshot(t.Context())
		if took := file.save(t.Context(), index); took != time.Second || file.saved != 1 {
			t.Errorf("the clock is set by %s: have the position %d saved in %s, want 1 in a second", step, file.saved, took)
		}
		file.close()
	}
}
