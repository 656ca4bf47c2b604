package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"

	"github.com/minio/minio-go/v7"
)

// s3File streams an object and restarts after a seek. It may be closed during a read:
// package http gathers several ranges concurrently, and continues briefly after the
// client has gone.
type s3File struct {
	s    *S3
	ctx  context.Context
	end  context.CancelFunc // of ctx
	name string
	tag  string
	size int64

	mu     sync.Mutex // guards the fields below
	closed bool
	at     int64
	body   io.ReadCloser // from at on; nil until the first read
}

func (f *s3File) Size() int64 { return f.size }

func (f *s3File) Seek(offset int64, whence int) (int64, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch whence {
	case io.SeekCurrent:
		offset += f.at
	case io.SeekEnd:
		offset += f.size
	}
	if offset < 0 {
		return 0, errors.New("seek to before the start of a file")
	}
	if offset == f.at {
		return offset, nil
	}
	f.at = offset
	return offset, f.drop()
}

// Read implements io.Reader. It resumes a broken stream, unless that fails several times
// without progress.
func (f *s3File) Read(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return 0, fmt.Errorf("read file %s: %w", f.name, fs.ErrClosed)
	}
	for try := 1; ; try++ {
		if f.at >= f.size {
			return 0, io.EOF
		}
		if err := f.open(); err != nil {
			return 0, fmt.Errorf("read file %s: %w", f.name, remote(err))
		}
		n, err := f.body.Read(p)
		f.at += int64(n)
		if err == nil || f.at == f.size && err == io.EOF {
			return n, nil
		}
		_ = f.drop() // it is broken
		if n > 0 {
			return n, nil
		}
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if try == s3Tries || f.ctx.Err() != nil {
			return 0, fmt.Errorf("read file %s: %w", f.name, remote(err))
		}
	}
}

// open starts the stream at the current offset.
func (f *s3File) open() error {
	if f.body != nil {
		return nil
	}
	options := minio.GetObjectOptions{}
	if err := errors.Join(options.SetRange(f.at, f.size-1), options.SetMatchETag(f.tag)); err != nil {
		return err
	}
	body, _, _, err := f.s.core.GetObject(f.ctx, f.s.bucket, f.name, options)
	f.body = body
	if err != nil {
		f.body = nil
	}
	return err
}

func (f *s3File) Close() error {
	f.end()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	return f.drop()
}

// drop ends the stream.
func (f *s3File) drop() error {
	if f.body == nil {
		return nil
	}
	body := f.body
	f.body = nil
	return body.Close()
}
