package writer

import "sync"

// queued limits the streams that wait to be written.
const queued = 4

// queue is the work of the writing goroutine, in order.
type queue struct {
	todo, done chan *pending
	under      int // streams not yet returned
	idle       []*pending
	writing    sync.WaitGroup
}

// pending is a stream to write, and its result.
type pending struct {
	ref     Ref
	entries string
	data    []byte

	at  int64 // offset
	err error // first output error so far
}

// Beside moves compression and writing of streams to a goroutine. The output does not change. The caller
// must call stop, which ends the goroutine.
func (w *Writer) Beside() (stop func()) {
	q := &queue{todo: make(chan *pending, queued), done: make(chan *pending, queued)}
	q.writing.Go(func() {
		for s := range q.todo {
			s.at = w.compress(s.ref, s.entries, all(s.data))
			s.err = w.err
			q.done <- s
		}
	})
	w.beside = q
	return func() {
		w.wait()
		w.beside = nil
		close(q.todo)
		q.writing.Wait()
	}
}

// give queues a stream; it copies the data.
func (w *Writer) give(ref Ref, entries string, data []byte) {
	q := w.beside
	if q.under == queued {
		w.takeBack()
	}
	s := &pending{}
	if last := len(q.idle) - 1; last >= 0 {
		s, q.idle = q.idle[last], q.idle[:last]
	}
	s.ref, s.entries, s.data = ref, entries, append(s.data[:0], data...)
	q.under++
	q.todo <- s
}

// takeBack waits for the oldest pending stream.
func (w *Writer) takeBack() {
	q := w.beside
	s := <-q.done
	q.under--
	w.entries[s.ref] = entry{at: uint64(s.at), kind: direct}
	w.outputErr = s.err
	q.idle = append(q.idle, s)
}

// wait waits for all pending streams.
func (w *Writer) wait() {
	for w.beside != nil && w.beside.under > 0 {
		w.takeBack()
	}
}

// Broken returns the first known output error, without waiting for the goroutine.
func (w *Writer) Broken() error {
	if w.beside != nil && w.beside.under > 0 {
		return w.outputErr
	}
	return w.err
}
