package blob_test

import (
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
