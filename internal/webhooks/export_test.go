package webhooks

// Poke has the sender look at once for what is due.
func (s *Service) Poke() { s.wake.Ring() }
