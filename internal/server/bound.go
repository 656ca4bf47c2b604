package server

import (
	"fmt"
	"net"
	"net/http"
	"sync"
	"syscall"
)

// maxReserved is the maximum number of open files that client connections leave to the
// database, to files and to outgoing requests. Under a low limit half of it is reserved.
const maxReserved = 1024

// boundedListener limits concurrent connections. Further ones wait in the kernel's
// queue, which leaves file descriptors for requests.
type boundedListener struct {
	net.Listener
	taken  chan struct{} // one value for each connection
	closed chan struct{}
	once   sync.Once
}

// bound limits the connections of l to what the open file limit of the process allows
// (RLIMIT_NOFILE).
func bound(l net.Listener) (*boundedListener, error) {
	var files syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &files); err != nil {
		return nil, fmt.Errorf("ask how many files may be open: %w", err)
	}
	most := min(files.Cur-min(files.Cur/2, maxReserved), 1<<20)
	return &boundedListener{Listener: l, taken: make(chan struct{}, most), closed: make(chan struct{})}, nil
}

func (l *boundedListener) Accept() (net.Conn, error) {
	select {
	case l.taken <- struct{}{}:
	case <-l.closed:
		return nil, net.ErrClosed
	}
	c, err := l.Listener.Accept()
	if err != nil {
		<-l.taken
	}
	return c, err
}

func (l *boundedListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

// changed tracks connections by their state. It does not wrap them, so that the kernel can
// still send files on them.
func (l *boundedListener) changed(_ net.Conn, state http.ConnState) {
	if state == http.StateClosed || state == http.StateHijacked {
		<-l.taken
	}
}
