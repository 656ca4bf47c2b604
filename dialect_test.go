package octavo

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestDialect(t *testing.T) {
	t.Parallel()
	for _, d := range append(Dialects(), "") {
		if wrong := CheckDialect(d); wrong != "" {
			t.Errorf("%q: have %q, want nothing wrong", d, wrong)
		}
		if d != "" && !strings.Contains(CheckDialect("?"), string(d)+",") {
			t.Errorf("%q is not named: %s", d, CheckDialect("?"))
		}
		text, err := json.Marshal(d)
		have := Dialect("")
		if err == nil {
			err = json.Unmarshal(text, &have)
		}
		if err != nil || have != d {
			t.Errorf("%q: have %q of %s, %v", d, have, text, err)
		}
	}
}
