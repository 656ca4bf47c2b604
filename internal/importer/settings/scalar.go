package settings

import (
	"strconv"
	"strings"

	"github.com/octavo-docs/octavo"
)

// Scalar formats a string, number or Boolean; others are "".
func Scalar(v octavo.Value) string {
	switch v.Kind {
	case octavo.KindString, octavo.KindNumber:
		return v.Str
	case octavo.KindBool:
		return strconv.FormatBool(v.Bool)
	}
	return ""
}

// Truth reads a truth value in any of the forms that generators accept.
func Truth(v octavo.Value) (truth, ok bool) {
	switch strings.ToLower(strings.TrimSpace(Scalar(v))) {
	case "true", "yes", "on", "y", "t", "1", "1.0":
		return true, true
	case "false", "no", "off", "n", "f", "0", "0.0":
		return false, true
	}
	return false, false
}
