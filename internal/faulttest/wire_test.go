package faulttest

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// wire is a connection for raw bytes.
type wire struct {
	net.Conn
	in *bufio.Reader
}

// dial connects to the server. The connection ends with the test.
func (s *server) dial(t testing.TB) *wire {
	t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() }) // it may be closed already
	if err := c.SetDeadline(time.Now().Add(3 * limit)); err != nil {
		t.Fatal(err)
	}
	return &wire{c, bufio.NewReaderSize(c, 512)}
}

// send writes bytes; a server that has closed the connection is no error.
func (w *wire) send(text string) { _, _ = io.WriteString(w, text) }

// answer reads one answer.
func (w *wire) answer() (answer, error) {
	res, err := http.ReadResponse(w.in, nil)
	if err != nil {
		return answer{}, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	return answer{res.StatusCode, res.Header, body}, err
}

// answers reads answers until the server closes the connection, which it must.
func (w *wire) answers() (list []answer, err error) {
	for {
		a, err := w.answer()
		if err != nil {
			var late net.Error
			if errors.As(err, &late) && late.Timeout() {
				return list, err
			}
			return list, nil
		}
		list = append(list, a)
	}
}

// halfClose closes the sending direction.
func (w *wire) halfClose() { _ = w.Conn.(*net.TCPConn).CloseWrite() }
