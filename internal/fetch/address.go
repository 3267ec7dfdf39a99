package fetch

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"syscall"
)

// ErrPrivateAddress is the cause of an Error about an address that is not of the public
// Internet. Its Kind is BadRequest where the request's own URL led there, since only
// another URL can help, and Upstream where a redirect did.
var ErrPrivateAddress = errors.New("the address is not of the public Internet")

// addressGuard decides which addresses may be connected to. It is asked at dial time, so
// that it sees what a name resolved to and not what it promised to.
type addressGuard struct {
	all   bool
	allow []netip.Prefix
}

// control is a net.Dialer's Control: it runs for every address before it is connected to.
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
	if nat64.Contains(a) { // how networks of IPv6 alone reach IPv4: it is as public as what it holds
		b := a.As16()
		a = netip.AddrFrom4([4]byte(b[12:]))
	}
	return (a.Is4() || global6.Contains(a)) && !within(a, special)
}

func within(a netip.Addr, prefixes []netip.Prefix) bool {
	return slices.ContainsFunc(prefixes, func(p netip.Prefix) bool { return p.Contains(a) })
}

// Of IPv6 only global unicast is public.
var (
	global6 = netip.MustParsePrefix("2000::/3")
	nat64   = netip.MustParsePrefix("64:ff9b::/96")
)

// special are the special-purpose registries of IANA (RFC 6890 and its updates). Within global unicast, what tunnels
// to IPv4 (Teredo, 6to4) could hide any address, and the rest is for protocols and documentation.
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
