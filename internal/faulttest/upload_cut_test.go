package faulttest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"syscall"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/testenv"
)

// While connections to the bucket are cut, uploads succeed completely or get retryable
// errors, and downloads are complete or break off.
func TestBucketConnectionsCut(t *testing.T) {
	t.Parallel()
	address, err := url.Parse(testenv.S3(t))
	if err != nil {
		t.Fatal(err)
	}
	p := newProxy(t, address.Host, chance(1<<16-5))
	address.Host = p.address
	in := onSQLite(t)
	in.storage = append(in.storage, "--blob-url", address.String())
	s := in.serve(t)
	a := newAPI(t, s.url, in.token(t))
	p.cut(20)
	var accepted, refused, whole, broken int
	for i := range 12 {
		res, asset, err := a.upload(t.Context(), fmt.Sprint("file ", i), int64(i)<<20+int64(i))
		if i == 0 {
			continue // it has no bytes
		}
		switch {
		case err == nil && res.status == http.StatusAccepted:
			accepted++
		case err == nil && res.refusal(octavo.Unavailable) == nil:
			refused++
			continue
		default:
			t.Errorf("upload %d: have %s, %v", i, res, err)
			continue
		}
		for range 2 {
			sum, err := sumOf(t.Context(), asset.URL)
			switch {
			case err == nil && sum == asset.SHA256:
				whole++
			case err == nil:
				t.Errorf("download %d: has other bytes", i)
			default:
				broken++
			}
		}
	}
	in.doctor(t)
	s.stop(t)
	t.Logf("%d connections were cut: %d uploads accepted, %d refused; %d downloads whole, %d broken off", p.cuts, accepted, refused, whole, broken)
}

// sumOf reads all that is at an address and returns its SHA-256.
func sumOf(ctx context.Context, address string) (string, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return "", err
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return "", errors.New(res.Status)
	}
	sum := sha256.New()
	_, err = io.Copy(sum, res.Body)
	return hex.EncodeToString(sum.Sum(nil)), err
}

// An upload without space for its row gets 507, and leaves nothing in the bucket.
func TestUploadToABucketBesideAFullDisk(t *testing.T) {
	t.Parallel()
	disk := testenv.SmallDisk(t, 16<<20)
	address := testenv.S3(t)
	in := &installation{[]string{"--data", disk.Path, "--blob-url", address}, disk.Command}
	s := in.serve(t)
	a := newAPI(t, s.url, in.token(t))
	if err := os.WriteFile(disk.File("filler"), make([]byte, 32<<20), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("have %v, want a full disk", err)
	}
	accepted, refused := 0, 0
	for refused < 3 && accepted < 2000 {
		res, _, err := a.upload(t.Context(), fmt.Sprint("file ", accepted, refused), 100)
		switch {
		case err == nil && res.status == http.StatusAccepted:
			accepted++ // there is still space in files that were there before
		case err == nil && res.refusal(octavo.StorageFull) == nil:
			refused++
		default:
			t.Fatalf("have %s, %v", res, err)
		}
	}
	bucket, err := blob.OpenS3(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer bucket.Close()
	kept := 0
	for _, err := range bucket.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		kept++
	}
	if refused == 0 || kept != accepted {
		t.Errorf("%d uploads were accepted and %d refused, and the bucket holds %d files", accepted, refused, kept)
	}
	if err := os.Remove(disk.File("filler")); err != nil {
		t.Fatal(err)
	}
	in.doctor(t)
	s.stop(t)
	t.Logf("%d uploads accepted, %d refused", accepted, refused)
}
