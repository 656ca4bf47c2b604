package faulttest

import (
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"sync"
	"testing"
)

// proxy forwards TCP connections to one address and cuts them at random, without notice to
// either end.
type proxy struct {
	address string
	to      string
	l       net.Listener
	group   sync.WaitGroup

	mu    sync.Mutex
	rng   *rand.Rand
	left  int // connections that are still to be cut
	cuts  int
	pairs map[net.Conn]net.Conn // both ends of what is open
}

// newProxy returns a proxy that ends with the test. It cuts nothing yet.
func newProxy(t testing.TB, to string, rng *rand.Rand) *proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{address: l.Addr().String(), to: to, l: l, rng: rng, pairs: map[net.Conn]net.Conn{}}
	p.group.Go(p.accept)
	t.Cleanup(func() {
		if err := p.l.Close(); err != nil {
			t.Error(err)
		}
		p.closeAll()
		p.group.Wait()
	})
	return p
}

func (p *proxy) accept() {
	for {
		client, err := p.l.Accept()
		if err != nil {
			return // closed
		}
		server, err := net.Dial("tcp", p.to)
		if err != nil {
			abort(client)
			continue
		}
		p.mu.Lock()
		p.pairs[client] = server
		p.mu.Unlock()
		p.group.Go(func() { p.carry(client, server) })
	}
}

// errCut ends a connection that the proxy cuts.
var errCut = errors.New("it is cut")

// carry copies in both directions until an end closes or the connection is cut. Data sent
// before a close still arrives.
func (p *proxy) carry(client, server net.Conn) {
	done := make(chan error, 2)
	p.group.Go(func() { done <- p.copy(server, client) })
	p.group.Go(func() { done <- p.copy(client, server) })
	err := <-done
	end := abort
	if errors.Is(err, io.EOF) {
		end = func(c net.Conn) { _ = c.Close() } // it may be closed already
	}
	end(client)
	end(server)
	<-done
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.pairs, client)
	if errors.Is(err, errCut) {
		p.cuts++
	}
}

// copy copies data and returns why it stopped. If it cuts the connection, part of the last
// piece has arrived.
func (p *proxy) copy(to io.Writer, from io.Reader) error {
	piece := make([]byte, 4<<10)
	for {
		n, err := from.Read(piece)
		pass, cut := p.pass(n)
		_, lost := to.Write(piece[:pass])
		switch {
		case cut:
			return errCut
		case lost != nil:
			return lost
		case err != nil:
			return err
		}
	}
}

// pass draws how many of n bytes to forward: all, or a part before a cut.
func (p *proxy) pass(n int) (pass int, cut bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	const oneIn = 150
	if p.left == 0 || n == 0 || p.rng.IntN(oneIn) != 0 {
		return n, false
	}
	p.left--
	return p.rng.IntN(n + 1), true
}

// listenAgain opens the port of a proxy whose listener was closed.
func (p *proxy) listenAgain() (net.Listener, error) { return net.Listen("tcp", p.address) }

// cut makes the proxy cut n connections from now on.
func (p *proxy) cut(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.left += n
}

// hold forwards nothing while fn runs.
func (p *proxy) hold(fn func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	fn()
}

// spent returns nil once all cuts have been made.
func (p *proxy) spent() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.left > 0 {
		return errors.New("there are connections to be cut")
	}
	return nil
}

// closeAll closes all connections.
func (p *proxy) closeAll() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for client, server := range p.pairs {
		abort(client)
		abort(server)
	}
}

// abort closes a connection with a reset.
func abort(c net.Conn) {
	if tcp, ok := c.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // it may be closed already
	}
	_ = c.Close()
}
