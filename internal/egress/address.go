package egress

import (
	"net/netip"
	"slices"
)

// special lists the IPv4 networks outside the public internet (RFC 6890 and the IANA
// registry that it created, RFC 1112 for multicast).
var special = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"),       // this network
	netip.MustParsePrefix("10.0.0.0/8"),      // private
	netip.MustParsePrefix("100.64.0.0/10"),   // shared by a carrier's customers
	netip.MustParsePrefix("127.0.0.0/8"),     // loopback
	netip.MustParsePrefix("169.254.0.0/16"),  // link-local, metadata of clouds
	netip.MustParsePrefix("172.16.0.0/12"),   // private
	netip.MustParsePrefix("192.0.0.0/24"),    // protocols of the IETF
	netip.MustParsePrefix("192.0.2.0/24"),    // documentation
	netip.MustParsePrefix("192.31.196.0/24"), // AS112
	netip.MustParsePrefix("192.52.193.0/24"), // AMT
	netip.MustParsePrefix("192.88.99.0/24"),  // relays of 6to4
	netip.MustParsePrefix("192.168.0.0/16"),  // private
	netip.MustParsePrefix("192.175.48.0/24"), // AS112
	netip.MustParsePrefix("198.18.0.0/15"),   // benchmarks
	netip.MustParsePrefix("198.51.100.0/24"), // documentation
	netip.MustParsePrefix("203.0.113.0/24"),  // documentation
	netip.MustParsePrefix("224.0.0.0/4"),     // multicast
	netip.MustParsePrefix("240.0.0.0/4"),     // reserved, broadcast
}

// global contains all public IPv6 addresses. Outside are loopback, link-local, unique
// local and multicast addresses, and translations of IPv4, which would bypass the list
// above.
var global = netip.MustParsePrefix("2000::/3")

// special6 lists the networks within global that are not public.
var special6 = []netip.Prefix{
	netip.MustParsePrefix("2001::/23"),         // protocols of the IETF, with Teredo and ORCHID
	netip.MustParsePrefix("2001:db8::/32"),     // documentation
	netip.MustParsePrefix("2002::/16"),         // 6to4, which contains an IPv4 address
	netip.MustParsePrefix("2620:4f:8000::/48"), // AS112
	netip.MustParsePrefix("3fff::/20"),         // documentation
}

// Public reports whether an address belongs to the public internet. An IPv4-mapped IPv6
// address counts as IPv4; one with a zone is not public.
func Public(addr netip.Addr) bool {
	contains := func(p netip.Prefix) bool { return p.Contains(addr) }
	addr = addr.Unmap()
	switch {
	case !addr.IsValid() || addr.Zone() != "":
		return false
	case addr.Is4():
		return !slices.ContainsFunc(special, contains)
	}
	return global.Contains(addr) && !slices.ContainsFunc(special6, contains)
}
