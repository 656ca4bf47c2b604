package server

import (
	"runtime/debug"
	"testing"
)

// TestRelief shows how often the garbage collector runs while exports are made,
// and that nothing is changed where its user said how often. It sets what the
// whole process has, so it runs beside no other test.
func TestRelief(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(usualGrowth))
	growth := func() int {
		have := debug.SetGCPercent(usualGrowth)
		debug.SetGCPercent(have)
		return have
	}
	var r relief
	first, second := r.begin(), r.begin()
	if have := growth(); have != easedGrowth {
		t.Errorf("with two exports: have %d", have)
	}
	first()
	if have := growth(); have != easedGrowth {
		t.Errorf("with one export: have %d", have)
	}
	second()
	if have := growth(); have != usualGrowth {
		t.Errorf("with no export any more: have %d", have)
	}
	for _, said := range []int{50, easedGrowth, -1} {
		debug.SetGCPercent(said)
		end := r.begin()
		if have := growth(); have != said {
			t.Errorf("with GOGC=%d: have %d during an export", said, have)
		}
		end()
		if have := growth(); have != said {
			t.Errorf("with GOGC=%d: have %d after an export", said, have)
		}
	}
}
