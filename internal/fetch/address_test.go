package fetch_test

import (
	"net/netip"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/internal/fetch"
)

func TestPublicAddresses(t *testing.T) {
	for _, a := range []string{
		"8.8.8.8", "1.1.1.1", "208.80.154.224", "100.63.255.255", "100.128.0.1", "172.15.0.1", "172.32.0.1", "198.17.0.1", "223.255.255.255",
		"2620:0:861:ed1a::1", "2a00:1450:4001:800::200e", "2001:4860:4860::8888", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8",
	} {
		if !fetch.Allows(netip.MustParseAddr(a)) {
			t.Errorf("%s is refused", a)
		}
	}
	for _, a := range []string{
		"0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.255.255", "169.254.169.254", "172.16.0.1", "172.31.255.255",
		"192.0.0.1", "192.0.2.1", "192.88.99.1", "192.168.0.1", "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255",
		"::", "::1", "::ffff:127.0.0.1", "::ffff:169.254.169.254", "::7f00:1", "64:ff9b::127.0.0.1", "64:ff9b::10.0.0.1", "64:ff9b:1::1", "100::1",
		"2001::1", "2001:db8::1", "2002:7f00:1::", "3fff::1", "5f00::1", "fc00::1", "fd00:ec2::254", "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1",
	} {
		if fetch.Allows(netip.MustParseAddr(a)) {
			t.Errorf("%s is allowed", a)
		}
	}
}

// TestMappedAddressesAreJudgedLikeTheirOwn looks at the forms of IPv6 that hold an IPv4 address.
func TestMappedAddressesAreJudgedLikeTheirOwn(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		raw := [4]byte(rapid.SliceOfN(rapid.Byte(), 4, 4).Draw(r, "ip"))
		a := netip.AddrFrom4(raw)
		want := fetch.Allows(a)
		if a.IsPrivate() && want || a.IsLoopback() && want || a.IsMulticast() && want || a.IsLinkLocalUnicast() && want {
			r.Fatalf("%s is allowed", a)
		}
		nat := netip.MustParseAddr("64:ff9b::").As16()
		copy(nat[12:], raw[:])
		for _, b := range []netip.Addr{netip.AddrFrom16(a.As16()), netip.AddrFrom16(nat)} {
			if fetch.Allows(b) != want {
				r.Fatalf("%s: %v, but %s: %v", a, want, b, !want)
			}
		}
	})
}
