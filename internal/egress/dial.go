package egress

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strconv"
)

// Resolver resolves host names, like *net.Resolver.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// RefusedError means that no address of a host may be reached.
type RefusedError struct {
	Host string
	Addr netip.Addr // the first one refused
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("%s is at %s, which is not a public address: allow it with --allow-private-destinations", e.Host, e.Addr)
}

// dialer only connects to addresses that it has checked.
type dialer struct {
	net      net.Dialer
	allow    []netip.Prefix
	resolver Resolver
	ports    []uint16 // nil means all
}

// dial resolves a host once, and connects to the first allowed address that responds. It
// dials the checked address, so a name that resolves differently the next time (DNS
// rebinding) gains nothing.
func (d *dialer) dial(ctx context.Context, network, hostPort string) (net.Conn, error) {
	host, portText, err := net.SplitHostPort(hostPort)
	if err != nil {
		return nil, err
	}
	port, err := strconv.ParseUint(portText, 10, 16)
	if err != nil {
		return nil, fmt.Errorf("port of %s: %w", hostPort, err)
	}
	if len(d.ports) > 0 && !slices.Contains(d.ports, uint16(port)) {
		return nil, fmt.Errorf("port %d of %s may not be reached: allow it with --destination-ports", port, host)
	}
	found, err := d.lookup(ctx, host)
	if err != nil {
		return nil, fmt.Errorf("look up %s: %w", host, err)
	}
	var allowed []netip.Addr
	for _, addr := range found {
		if addr = addr.Unmap(); d.allows(addr) && !slices.Contains(allowed, addr) {
			allowed = append(allowed, addr)
		}
	}
	if len(allowed) == 0 {
		return nil, &RefusedError{Host: host, Addr: found[0]}
	}
	var errs []error
	for _, addr := range allowed[:min(len(allowed), maxAddresses)] {
		conn, err := d.net.DialContext(ctx, network, netip.AddrPortFrom(addr, uint16(port)).String())
		if err == nil {
			return conn, nil
		}
		errs = append(errs, err)
	}
	return nil, errors.Join(errs...)
}

func (d *dialer) lookup(ctx context.Context, host string) ([]netip.Addr, error) {
	if addr, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{addr}, nil
	}
	found, err := d.resolver.LookupNetIP(ctx, "ip", host)
	if err == nil && len(found) == 0 {
		err = errors.New("it has no address")
	}
	return found, err
}

func (d *dialer) allows(addr netip.Addr) bool {
	return Public(addr) || slices.ContainsFunc(d.allow, func(p netip.Prefix) bool { return p.Contains(addr) })
}
