package fetch

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"syscall"
)

// ErrPrivateAddress is the cause of an Error about an address outside the public Internet. Its Kind is
// BadRequest if the request's own URL led there, because only another URL can help, and Upstream if a
// redirect led there.
var ErrPrivateAddress = errors.New("the address is not of the public Internet")

// addressGuard decides which addresses may be connected. It is called at dial time, so that it checks the
// address to which a name resolved.
type addressGuard struct {
	all   bool
	allow []netip.Prefix
}

// control implements net.Dialer.Control, which is called before each connection.
func (g addressGuard) control(_, address string, _ syscall.RawConn) error {
	if g.all {
		return nil
	}
	ap, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("read address: %w", ErrPrivateAddress)
	}
	if !g.allows(ap.Addr()) {
		return ErrPrivateAddress
	}
	return nil
}

func (g addressGuard) allows(a netip.Addr) bool {
	a = a.WithZone("").Unmap()
	if within(a, g.allow) {
		return true
	}
	if nat64.Contains(a) { // IPv6-only networks reach IPv4 this way: it is as public as the address inside
		b := a.As16()
		a = netip.AddrFrom4([4]byte(b[12:]))
	}
	return (a.Is4() || global6.Contains(a)) && !within(a, special)
}

func within(a netip.Addr, prefixes []netip.Prefix) bool {
	return slices.ContainsFunc(prefixes, func(p netip.Prefix) bool { return p.Contains(a) })
}

// public lists the global unicast range of IPv6; other IPv6 addresses are not public.
var (
	global6 = netip.MustParsePrefix("2000::/3")
	nat64   = netip.MustParsePrefix("64:ff9b::/96")
)

// special lists the special-purpose registries of IANA (RFC 6890 and its updates). Within the global unicast
// range, tunnels to IPv4 (Teredo, 6to4) could hide any address, and the rest is for protocols and
// documentation.
var special = prefixes(
	"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16",
	"172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16",
	"198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
	"2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
)

func prefixes(texts ...string) (out []netip.Prefix) {
	for _, t := range texts {
		out = append(out, netip.MustParsePrefix(t))
	}
	return out
}
