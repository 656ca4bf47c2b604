package blob

import (
	"bytes"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"

	"github.com/octavo-docs/octavo/internal/testenv"
)

// TestS3SweepsUnfinishedUploads leaves an upload behind as a killed process
// does: it is given up once it is old, and what else the bucket holds is not
// touched.
func TestS3SweepsUnfinishedUploads(t *testing.T) {
	t.Parallel()
	s, err := OpenS3(t.Context(), testenv.S3(t))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, name := range []string{s.prefix + "leftbehind", s.prefix + "Somebody else's"} {
		id, err := s.core.NewMultipartUpload(t.Context(), s.bucket, name, minio.PutObjectOptions{})
		if err != nil {
			t.Fatal(err)
		}
		part := bytes.Repeat([]byte("x"), s3PartSize)
		if _, err := s.core.PutObjectPart(t.Context(), s.bucket, name, id, 1, bytes.NewReader(part), s3PartSize, minio.PutObjectPartOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	now := time.Now()
	for _, step := range []struct {
		before time.Time
		want   int
	}{{now.Add(-time.Hour), 0}, {now.Add(time.Hour), 1}, {now.Add(time.Hour), 0}} {
		if n, err := s.Sweep(t.Context(), step.before); n != step.want || err != nil {
			t.Errorf("before %s: have %d, %v; want %d", step.before, n, err, step.want)
		}
	}
	for info, err := range s.All(t.Context()) {
		t.Errorf("there is %+v, %v", info, err)
	}
}
