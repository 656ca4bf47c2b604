package outline

// SetMost has answers hold fewer pages.
func (s *Service) SetMost(n int) { s.most = n }
