package load

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http/httputil"
	"strconv"
	"sync"
	"time"
)

// readBuffer holds a list of 20 pages at once, in bytes.
const readBuffer = 64 << 10

// errAnswer is an answer that is no HTTP/1.1.
var errAnswer = errors.New("answer is not HTTP/1.1")

// wire is one HTTP/1.1 connection. Of an answer it reads the status and the
// headers that tell where the body ends; the body is dropped.
type wire struct {
	dial     func(context.Context) (net.Conn, error)
	deadline time.Time
	in       *bufio.Reader
	spent    bool // the server closes the connection after the last answer

	mu   sync.Mutex // guards conn against interrupt
	conn net.Conn
}

// connect makes the connection, or makes it anew.
func (w *wire) connect(ctx context.Context) error {
	w.close()
	conn, err := w.dial(ctx)
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	if err := conn.SetDeadline(w.deadline); err != nil {
		return errors.Join(fmt.Errorf("connect: %w", err), conn.Close())
	}
	w.mu.Lock()
	w.conn = conn
	w.mu.Unlock()
	w.spent = false
	if w.in == nil {
		w.in = bufio.NewReaderSize(conn, readBuffer)
	} else {
		w.in.Reset(conn)
	}
	return nil
}

// close also ends a request under way.
func (w *wire) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.conn != nil {
		_ = w.conn.Close() // nothing is lost with it
	}
}

// do sends a request and returns the status of its answer and the number of
// bytes in the body. After an error the connection is of no more use.
func (w *wire) do(request []byte) (status int, size int64, err error) {
	if _, err := w.conn.Write(request); err != nil {
		return 0, 0, err
	}
	line, err := w.in.ReadSlice('\n')
	if err != nil {
		return 0, 0, err
	}
	if !bytes.HasPrefix(line, []byte("HTTP/1.1 ")) || len(line) < len("HTTP/1.1 200\r\n") {
		return 0, 0, errAnswer
	}
	if status, err = strconv.Atoi(string(line[9:12])); err != nil {
		return 0, 0, errAnswer
	}
	f, err := w.framing()
	if err != nil {
		return status, 0, err
	}
	size, err = w.drop(status, f)
	w.spent = f.last
	return status, size, err
}

// framing is how the body of an answer ends.
type framing struct {
	length  int64 // -1 unless told
	chunked bool
	last    bool // the server closes the connection
}

func (w *wire) framing() (framing, error) {
	f := framing{length: -1}
	for {
		line, err := w.in.ReadSlice('\n')
		if err != nil {
			return f, err
		}
		name, value, _ := bytes.Cut(bytes.TrimRight(line, "\r\n"), []byte(":"))
		value = bytes.TrimSpace(value)
		switch {
		case len(name) == 0:
			return f, nil
		case bytes.EqualFold(name, []byte("Content-Length")):
			if f.length, err = strconv.ParseInt(string(value), 10, 64); err != nil {
				return f, errAnswer
			}
		case bytes.EqualFold(name, []byte("Transfer-Encoding")):
			f.chunked = bytes.EqualFold(value, []byte("chunked"))
		case bytes.EqualFold(name, []byte("Connection")):
			f.last = bytes.EqualFold(value, []byte("close"))
		}
	}
}

// drop reads the body.
func (w *wire) drop(status int, f framing) (int64, error) {
	switch {
	case status == 204 || status == 304:
		return 0, nil
	case f.chunked:
		n, err := io.Copy(io.Discard, httputil.NewChunkedReader(w.in))
		if err != nil {
			return n, err
		}
		_, err = w.in.ReadSlice('\n') // the empty line behind the last chunk
		return n, err
	case f.length >= 0:
		n, err := w.in.Discard(int(f.length))
		return int64(n), err
	}
	return 0, fmt.Errorf("%w: it does not tell where its body ends", errAnswer)
}

// TCP returns what connects to a server at an address, as host:port.
func TCP(address string) func(context.Context) (net.Conn, error) {
	return func(ctx context.Context) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "tcp", address)
	}
}
