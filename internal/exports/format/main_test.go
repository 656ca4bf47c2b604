package format_test

import (
	"testing"

	"go.uber.org/goleak"
)

// Whatever a test starts ends with it, but for the clock by which the lexers of
// code are bounded, which stops by itself a while after it was last needed.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/dlclark/regexp2/v2.runClock"))
}
