package importer

import "sync"

// progress counts steps: reading a file, or writing a page or an asset.
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

// left sets the remaining steps once the pages are known.
func (p *progress) left(steps int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.total = p.done + steps
}
