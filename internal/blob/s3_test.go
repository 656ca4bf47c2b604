package blob_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/blob/blobtest"
	"github.com/octavo-docs/octavo/internal/testenv"
)

func TestS3(t *testing.T) {
	t.Parallel()
	blobtest.Run(t, func(t testing.TB) blob.Store {
		bucket, err := blob.OpenS3(t.Context(), testenv.S3(t))
		if err != nil {
			t.Fatal(err)
		}
		return bucket
	})
}

// Opening a bucket reports a wrong key, secret or name.
func TestS3Refused(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		change func(u *url.URL)
		want   string
	}{
		"a wrong key":    {func(u *url.URL) { secret, _ := u.User.Password(); u.User = url.UserPassword("nobody", secret) }, "refuses to list it: check key, secret"},
		"a wrong secret": {func(u *url.URL) { u.User = url.UserPassword(u.User.Username(), "wrong") }, "refuses to list it: check key, secret"},
		"a wrong name":   {func(u *url.URL) { u.Path = "/octavo-none" }, "has no such bucket"},
		"a wrong host":   {func(u *url.URL) { u.Host = "127.0.0.1:1" }, "connection refused"},
	} {
		address, err := url.Parse(testenv.S3(t))
		if err != nil {
			t.Fatal(err)
		}
		c.change(address)
		bucket, err := blob.OpenS3(t.Context(), address.String())
		if err == nil {
			err = bucket.Close()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "such bucket") != (what == "a wrong name") {
			t.Errorf("%s: have %v, want %q", what, err, c.want)
		}
	}
}

// TestS3Name: a bucket has one name, however its address is written.
func TestS3Name(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ address, want string }{
		{"s3://key:hush@s3.example:9000/docs?region=eu", "s3://docs"},
		{"s3://s3.example/docs/?prefix=/", "s3://docs"},
		{"s3://s3.example/docs?prefix=a", "s3://docs?prefix=a"},
		{"s3://s3.example//docs/?prefix=/a/b/&insecure=true", "s3://docs?prefix=a/b"},
		{"s3://key:hush@s3:x:y/%", "s3://"},
	} {
		if have := blob.S3Name(c.address); have != c.want {
			t.Errorf("S3Name(%q): have %q, want %q", c.address, have, c.want)
		}
	}
}
