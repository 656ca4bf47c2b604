package egress

import (
	"net/netip"
	"testing"
)

func TestPublic(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"1.1.1.1": true, "93.184.216.34": true, "172.15.255.255": true, "172.32.0.0": true, "100.63.255.255": true, "100.128.0.0": true,
		"223.255.255.255": true, "2606:4700::1111": true, "2a00:1450:4001::1": true, "::ffff:1.1.1.1": true, "2001:200::": true,
		"0.0.0.0": false, "0.1.2.3": false, "10.0.0.1": false, "100.64.0.1": false, "127.0.0.1": false, "127.255.255.255": false,
		"169.254.169.254": false, "172.16.0.1": false, "172.31.255.255": false, "192.0.0.8": false, "192.0.2.1": false,
		"192.88.99.1": false, "192.168.1.1": false, "198.18.0.1": false, "198.51.100.1": false, "203.0.113.1": false,
		"224.0.0.1": false, "239.255.255.255": false, "240.0.0.1": false, "255.255.255.255": false,
		"::": false, "::1": false, "::127.0.0.1": false, "::ffff:127.0.0.1": false, "::ffff:10.0.0.1": false, "::ffff:0:7f00:1": false,
		"64:ff9b::a00:1": false, "64:ff9b:1::a00:1": false, "100::1": false, "2001::1": false, "2001:10::1": false, "2001:20::1": false,
		"2001:db8::1": false, "2002:a00:1::": false, "3fff::1": false, "4000::1": false, "5f00::1": false, "fc00::1": false,
		"fd12:3456::1": false, "fe80::1": false, "fe80::1%eth0": false, "2606:4700::1111%eth0": false, "fec0::1": false, "ff02::1": false,
	} {
		if have := Public(netip.MustParseAddr(text)); have != want {
			t.Errorf("Public(%s): have %v, want %v", text, have, want)
		}
	}
	if Public(netip.Addr{}) {
		t.Error("Public of no address: have true, want false")
	}
}
