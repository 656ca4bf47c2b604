package parts

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"path/filepath"

	"github.com/octavo-docs/octavo/bench/internal/figure"
	"github.com/octavo-docs/octavo/bench/internal/served"
)

// upload sends a server a file of 1 GiB, 64 MiB in a short run, and returns
// what memory the server took at most.
func (s Settings) upload(ctx context.Context) (list figure.List, err error) {
	size := int64(1 << 30)
	if s.Short {
		size = 64 << 20
	}
	program, err := s.build(ctx, s.Source, "octavo")
	if err != nil {
		return nil, err
	}
	data := filepath.Join(s.Folder, "upload-run")
	server, err := served.Start(ctx, program, data, data+"-empty", "--roles", "api", "--max-upload", "2GiB")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, server.Stop()) }()
	if err := post(ctx, server, size); err != nil {
		return nil, fmt.Errorf("%s: %w", figure.Upload, err)
	}
	usage, err := server.Usage()
	if err != nil {
		return nil, err
	}
	list.Add(figure.Octavo, figure.Upload, figure.Peak, float64(usage.Peak)/1e6)
	return list, nil
}

// post uploads that many zeros as a form, which is written while it is sent.
func post(ctx context.Context, server *served.Server, size int64) error {
	body, to := io.Pipe()
	form := multipart.NewWriter(to)
	go func() {
		part, err := form.CreateFormFile("file", "large.bin")
		if err == nil {
			_, err = io.CopyN(part, zeros{}, size)
		}
		to.CloseWithError(errors.Join(err, form.Close()))
	}()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL+"/v1/assets", body)
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+server.Token)
	r.Header.Set("Content-Type", form.FormDataContentType())
	resp, err := http.DefaultClient.Do(r) // closes the body, which ends the writer
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode > 299 {
		err = fmt.Errorf("status %d: %.300s", resp.StatusCode, text)
	}
	return err
}

// zeros gives zeros without end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
