package testenv

import (
	"crypto/rand"
	"net/url"
	"os"
	"strings"
	"testing"
)

// S3Program returns the program of the S3 server, for a test that starts and
// stops a server of its own.
func S3Program(t testing.TB) string {
	t.Helper()
	program := os.Getenv("OCTAVO_TEST_S3_PROGRAM")
	if program == "" {
		missing(t, "s3", "run the tests by scripts/with-s3 go test ...")
	}
	return program
}

// S3 returns the URL of an empty place in the bucket that OCTAVO_TEST_S3
// names. It goes with the server.
func S3(t testing.TB) string {
	t.Helper()
	server := os.Getenv("OCTAVO_TEST_S3")
	if server == "" {
		missing(t, "s3", "run the tests by scripts/with-s3 go test ...")
	}
	address, err := url.Parse(server)
	if err != nil {
		t.Fatal("OCTAVO_TEST_S3 is not a URL")
	}
	query := address.Query()
	query.Set("prefix", strings.ToLower(rand.Text()))
	address.RawQuery = query.Encode()
	return address.String()
}
