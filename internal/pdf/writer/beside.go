package writer

import "sync"

// queued is how many streams there are at most that were made and are not
// written yet.
const queued = 4

// queue is what a goroutine writes, in order.
type queue struct {
	todo, done chan *pending
	under      int // those that have not come back
	idle       []*pending
	writing    sync.WaitGroup
}

// pending is a stream to be written, and what came of it.
type pending struct {
	ref     Ref
	entries string
	data    []byte

	at  int64 // where it begins
	err error // of the output by then
}

// Beside has streams compressed and written by a goroutine from now on, while
// the next ones are made. The file is the same. The goroutine ends with stop,
// which must be called.
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

// give has a stream written, whose data is copied.
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

// takeBack waits for the first of the streams that are under way.
func (w *Writer) takeBack() {
	q := w.beside
	s := <-q.done
	q.under--
	w.entries[s.ref] = entry{at: uint64(s.at), kind: direct}
	w.told = s.err
	q.idle = append(q.idle, s)
}

// wait waits until all streams are written.
func (w *Writer) wait() {
	for w.beside != nil && w.beside.under > 0 {
		w.takeBack()
	}
}

// Broken returns the first error of the output as far as it is known, without
// waiting for what a goroutine writes.
func (w *Writer) Broken() error {
	if w.beside != nil && w.beside.under > 0 {
		return w.told
	}
	return w.err
}
