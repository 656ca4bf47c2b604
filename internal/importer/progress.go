package importer

import "sync"

// progress counts steps: reading a file is one, settling a page or an asset another.
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

// left says how many steps are left, once the pages are known.
func (p *progress) left(steps int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.total = p.done + steps
}
