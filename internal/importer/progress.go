package importer

import "sync"

// progress counts steps: reading a file is one, settling its page another.
type progress struct {
	report func(done, total int)
	total  int

	mu   sync.Mutex
	done int
}

func (p *progress) step() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	p.report(p.done, p.total)
}

// drop takes back steps that turn out not to be needed.
func (p *progress) drop(steps int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.total -= steps
}
