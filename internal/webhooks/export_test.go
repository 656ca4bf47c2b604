package webhooks

// KeyAge is how long keys of callbacks that were read are relied on.
const KeyAge = keyAge

// Poke has the sender look at once for what is due.
func (s *Service) Poke() { s.wake.Ring() }
