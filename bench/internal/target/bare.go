package target

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"

	"github.com/octavo-docs/octavo/bench/internal/corpus"
)

// boundPages is how many different pages the bare server answers at most. It
// is as fast with more of them, and would need their memory.
const boundPages = 10_000

// boundLists is how many different lists it answers at most.
const boundLists = 500

// Answer is what a server answered, for the bare server to answer again.
type Answer struct {
	Method, Path string
	Status       int
	Header       http.Header // without Date and Connection, which the server adds
	Body         []byte
}

// Capture asks an Octavo for its pages and lists and writes the answers to a
// file. It returns the API of a bare server that serves this file; its Host is
// still to be set. It answers every create with the page that run made here.
func Capture(ctx context.Context, base string, from *API, file string, run uint32) (a *API, err error) {
	a = &API{Name: "bare", Token: from.Token, Pages: from.Pages[:min(len(from.Pages), boundPages)], Create: from.Create}
	a.Lists = from.Lists[:min(len(from.Lists), boundLists)]
	out, err := os.Create(file)
	if err != nil {
		return nil, fmt.Errorf("capture answers: %w", err)
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	enc := gob.NewEncoder(out)
	for _, path := range append(a.Pages[:len(a.Pages):len(a.Pages)], a.Lists...) {
		if err := capture(ctx, enc, http.MethodGet, base, path, from.Token, nil); err != nil {
			return nil, err
		}
	}
	return a, capture(ctx, enc, http.MethodPost, base, from.Create, from.Token, corpus.New(run, 0).JSON())
}

func capture(ctx context.Context, enc *gob.Encoder, method, base, path, token string, body []byte) error {
	text, header, err := Ask(ctx, method, base+path, token, body)
	if err != nil {
		return fmt.Errorf("capture answers: %w", err)
	}
	header.Del("Date")
	header.Del("Connection")
	status := http.StatusOK
	if method == http.MethodPost {
		status = http.StatusCreated
	}
	if err := enc.Encode(Answer{method, path, status, header, text}); err != nil {
		return fmt.Errorf("capture answers: %w", err)
	}
	return nil
}

// Answers reads a file of captured answers.
func Answers(file string, each func(Answer)) error {
	in, err := os.Open(file)
	if err != nil {
		return fmt.Errorf("read captured answers: %w", err)
	}
	defer in.Close()
	dec := gob.NewDecoder(in)
	for {
		var next Answer
		switch err := dec.Decode(&next); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("read captured answers: %w", err)
		}
		each(next)
	}
}
