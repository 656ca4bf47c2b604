package exports

import "testing"

// TestPlacesOfOneName takes one name so often that looking for a free one from
// the beginning each time would not come to an end.
func TestPlacesOfOneName(t *testing.T) {
	t.Parallel()
	at := newPlaces()
	const many = 200_000
	seen := make(map[string]bool, many)
	for range many {
		name := at.take("assets/picture.png")
		if seen[name] {
			t.Fatalf("%s is given twice", name)
		}
		seen[name] = true
	}
	if have := at.take("ASSETS/picture-2.png"); seen[have] || have != "ASSETS/picture-2-2.png" {
		t.Errorf("have %s, want ASSETS/picture-2-2.png", have)
	}
}
