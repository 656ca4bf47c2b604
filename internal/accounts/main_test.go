package accounts_test

import (
	"testing"

	"go.uber.org/goleak"
)

// Whatever a test starts ends with it.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
