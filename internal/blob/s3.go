package blob

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"golang.org/x/sync/semaphore"

	"github.com/octavo-docs/octavo"
)

// A part is as small as the protocol allows, since each upload has one in memory.
const (
	s3PartSize    = 5 << 20 // bytes; 10,000 parts make the largest file 48 GiB
	s3SmallFile   = 1 << 20 // a file up to this size is uploaded in one request
	s3Tries       = 3
	s3Connect     = 5 * time.Second
	s3Answer      = 20 * time.Second // timeout without any progress
	s3Connections = 64
	s3Puts        = 24 // concurrent uploads in a store, each with a part in memory
)

// S3 is a store in a bucket of a server with the S3 protocol. It streams uploads and
// downloads.
type S3 struct {
	core      minio.Core
	bucket    string
	prefix    string
	transport *http.Transport
	puts      *semaphore.Weighted
}

// OpenS3 opens an existing bucket at a URL such as
// s3://key:secret@s3.eu-central-1.amazonaws.com/bucket. Parameters of the URL are region,
// prefix (of the names in the bucket) and insecure=true for a server without TLS.
// Credentials default to those of the environment (AWS_…) or of the machine's role. It
// fails if the bucket does not respond.
func OpenS3(ctx context.Context, address string) (*S3, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("read the address of the bucket: it is not a URL") // the error would contain the secret
	}
	query := u.Query()
	provider := credentials.NewChainCredentials([]credentials.Provider{&credentials.EnvAWS{}, &credentials.IAM{}})
	if secret, given := u.User.Password(); given {
		provider = credentials.NewStaticV4(u.User.Username(), secret, "")
	}
	s := &S3{puts: semaphore.NewWeighted(s3Puts), transport: &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           dialPatiently,
		TLSHandshakeTimeout:   s3Connect,
		ResponseHeaderTimeout: s3Answer,
		MaxIdleConnsPerHost:   s3Connections,
		IdleConnTimeout:       time.Minute,
		DisableCompression:    true,
	}}
	if s.bucket, s.prefix = s3Place(u); s.prefix != "" {
		s.prefix += "/"
	}
	client, err := minio.New(u.Host, &minio.Options{
		Creds: provider, Secure: query.Get("insecure") != "true", Region: query.Get("region"),
		Transport: s.transport, MaxRetries: s3Tries,
	})
	if err != nil {
		return nil, fmt.Errorf("open the bucket %s: %w", s.bucket, err)
	}
	s.core = minio.Core{Client: client}
	if err := s.look(ctx); err != nil {
		return nil, fmt.Errorf("open the bucket %s: %w", s.bucket, err)
	}
	return s, nil
}

// s3Place returns the bucket of an address and the prefix in it, without slashes at their
// ends.
func s3Place(u *url.URL) (bucket, prefix string) {
	return strings.Trim(u.Path, "/"), strings.Trim(u.Query().Get("prefix"), "/")
}

// S3Name returns the canonical name of a bucket and prefix. It omits credentials, and also
// the host, since a bucket may have several.
func S3Name(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "s3://" // it could not be opened either
	}
	bucket, prefix := s3Place(u)
	name := "s3://" + bucket
	if prefix != "" {
		name += "?prefix=" + prefix
	}
	return name
}

// look checks that the bucket exists and can be listed. A response to listing says why
// not; one to HEAD has no body.
func (s *S3) look(ctx context.Context) error {
	var err error
	for info := range s.core.ListObjectsIter(ctx, s.bucket, minio.ListObjectsOptions{Prefix: s.prefix, Recursive: true, MaxKeys: 1}) {
		err = info.Err
		break
	}
	if err == nil || ctx.Err() != nil {
		return err
	}
	switch answer := minio.ToErrorResponse(err); {
	case answer.Code == minio.NoSuchBucket:
		return fmt.Errorf("%s has no such bucket", s.core.EndpointURL().Host)
	case answer.StatusCode/100 == 4:
		return fmt.Errorf("%s refuses to list it: check key, secret and region, and the permissions of the key: %w", s.core.EndpointURL().Host, err)
	}
	return remote(err)
}

// Apart implements Store with a prefix that ends in a slash, which no key contains.
func (s *S3) Apart(name string) (Store, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	apart := *s
	apart.prefix += name + "/"
	apart.puts = semaphore.NewWeighted(s3Puts) // separate, so that slow uploads do not delay those of the other store
	return &apart, nil
}

func (s *S3) Close() error {
	s.transport.CloseIdleConnections()
	return nil
}

// Put implements Store. A small file is one request, a large one a multipart upload, which
// is aborted if r fails. Put waits while too many others run.
func (s *S3) Put(ctx context.Context, key string, r io.Reader) error {
	if err := checkKey(key); err != nil {
		return err
	}
	if err := s.puts.Acquire(ctx, 1); err != nil {
		return fmt.Errorf("put file %s: %w", key, err)
	}
	defer s.puts.Release(1)
	r = ContextReader{ctx, r}
	first := make([]byte, s3SmallFile)
	n, end, err := Fill(r, first)
	if err != nil {
		return fmt.Errorf("put file %s: %w", key, err)
	}
	// A cancelled upload still gets time to be aborted.
	sending, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(s3Answer, cancel) })
	defer stop()
	options := minio.PutObjectOptions{ContentType: "application/octet-stream", PartSize: s3PartSize, SendContentMd5: true}
	source := &sourceReader{r: io.MultiReader(bytes.NewReader(first), r)}
	if end {
		_, err = s.core.Client.PutObject(sending, s.bucket, s.prefix+key, bytes.NewReader(first[:n]), int64(n), options)
	} else {
		_, err = s.core.Client.PutObject(sending, s.bucket, s.prefix+key, source, -1, options)
	}
	if source.err != nil {
		err = source.err
	} else {
		err = remote(err)
	}
	return octavo.Wrapf(err, "put file %s", key)
}

// sourceReader distinguishes errors of the source from those of the bucket.
type sourceReader struct {
	r   io.Reader
	err error
}

func (s *sourceReader) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	if err != nil && err != io.EOF { //nolint:errorlint // a wrapped EOF is an error
		// The client must not take an early EOF for the end of the file.
		s.err, err = err, errors.New("the source failed")
	}
	return n, err
}

func (s *S3) Open(ctx context.Context, key string) (File, error) {
	if err := checkKey(key); err != nil {
		return nil, err
	}
	info, err := s.core.StatObject(ctx, s.bucket, s.prefix+key, minio.StatObjectOptions{})
	if err != nil {
		return nil, fmt.Errorf("open file %s: %w", key, remote(err))
	}
	ctx, end := context.WithCancel(ctx)
	return &s3File{s: s, ctx: ctx, end: end, name: s.prefix + key, tag: info.ETag, size: info.Size}, nil
}

func (s *S3) Remove(ctx context.Context, key string) error {
	if err := checkKey(key); err != nil {
		return err
	}
	err := remote(s.core.RemoveObject(ctx, s.bucket, s.prefix+key, minio.RemoveObjectOptions{}))
	if err != nil && !errors.Is(err, ErrNotFound) {
		return fmt.Errorf("remove file %s: %w", key, err)
	}
	return nil
}

// Transfer implements Store with a copy by the server if possible.
func (s *S3) Transfer(ctx context.Context, key, from, to string, move bool) error {
	if err := checkKey(key); err != nil {
		return err
	}
	source := s.prefix + path.Join(from, key)
	_, err := s.core.ComposeObject(ctx, minio.CopyDestOptions{Bucket: s.bucket, Object: s.prefix + path.Join(to, key)},
		minio.CopySrcOptions{Bucket: s.bucket, Object: source})
	switch {
	case err != nil:
		return copyAcross(ctx, s, key, from, to, move)
	case !move:
		return nil
	}
	if err := remote(s.core.RemoveObject(ctx, s.bucket, source, minio.RemoveObjectOptions{})); err != nil && !errors.Is(err, ErrNotFound) {
		return fmt.Errorf("remove file %s, which was transferred: %w", key, err)
	}
	return nil
}

func (s *S3) All(ctx context.Context) iter.Seq2[Info, error] {
	return func(yield func(Info, error) bool) {
		for info := range s.core.ListObjectsIter(ctx, s.bucket, minio.ListObjectsOptions{Prefix: s.prefix, Recursive: true}) {
			if info.Err != nil {
				yield(Info{}, fmt.Errorf("list the files: %w", remote(info.Err)))
				return
			}
			key := strings.TrimPrefix(info.Key, s.prefix)
			if checkKey(key) == nil && !yield(Info{key, info.Size, info.LastModified}, nil) {
				return
			}
		}
	}
}

func (s *S3) Sweep(ctx context.Context, before time.Time) (removed int, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // ends the listing on an early return
	for upload := range s.core.ListIncompleteUploads(ctx, s.bucket, s.prefix, true) {
		if upload.Err != nil {
			return removed, fmt.Errorf("list unfinished uploads: %w", remote(upload.Err))
		}
		if !upload.Initiated.Before(before) || checkKey(strings.TrimPrefix(upload.Key, s.prefix)) != nil {
			continue
		}
		err := remote(s.core.AbortMultipartUpload(ctx, s.bucket, upload.Key, upload.UploadID))
		if err != nil && !errors.Is(err, ErrNotFound) {
			return removed, fmt.Errorf("give up an unfinished upload: %w", err)
		}
		removed++
	}
	return removed, nil
}

// patientConn closes a connection after too long without progress.
type patientConn struct{ net.Conn }

func dialPatiently(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := (&net.Dialer{Timeout: s3Connect}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return patientConn{conn}, nil
}

func (c patientConn) Read(p []byte) (int, error) {
	defer time.AfterFunc(s3Answer, c.end).Stop()
	return c.Conn.Read(p)
}

func (c patientConn) Write(p []byte) (int, error) {
	defer time.AfterFunc(s3Answer, c.end).Stop()
	return c.Conn.Write(p)
}

func (c patientConn) end() { _ = c.Conn.Close() } // wakes the waiting caller

// remote translates an error of the bucket.
func remote(err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	answer := minio.ToErrorResponse(err)
	switch {
	case answer.Code == "NoSuchKey", answer.Code == "NoSuchUpload":
		return fmt.Errorf("%w: %w", ErrNotFound, err)
	case answer.StatusCode == http.StatusInsufficientStorage, answer.Code == "QuotaExceeded", answer.Code == "XMinioStorageFull":
		return &octavo.Error{Type: octavo.StorageFull, Err: err}
	case answer.StatusCode == http.StatusForbidden:
		err = fmt.Errorf("the bucket refuses this key, which needs the rights to list, read, write and delete: %w", err)
	}
	return unavailable(err)
}
