package live

// Known returns how many pages a service remembers that has stopped.
func (s *Service) Known() int { return len(s.known) }
