package importer

type link struct {
	href string
	line int
}

func (p *plan) checkLinks() {}
