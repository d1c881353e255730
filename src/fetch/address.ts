import { BlockList, isIP } from 'node:net'

/**
 * Whose an address is: `public` on the open internet, `private` of this machine or of the network it stands in, and
 * `special` for all that is neither: multicast, documentation, and forms that carry an address in another one.
 *
 * By the registries of special-purpose addresses (IANA, RFC 6890). Of IPv6 only 2000::/3 is given out for global use
 * (RFC 4291, 2.4), so that whatever else a resolver returns is not taken for public. A v4-mapped, 6to4 or Teredo
 * address is special whatever it carries: no web site has one, and each is a second spelling of some other address.
 * A network without IPv4 reaches every IPv4 site by way of 64:ff9b::/96 (RFC 6052): there, what is carried decides.
 */
export type AddressKind = 'public' | 'private' | 'special'

const privateV4 = [
  '10.0.0.0/8',
  '100.64.0.0/10', // behind a carrier's NAT
  '127.0.0.0/8',
  '169.254.0.0/16', // link-local, and where clouds keep the credentials of a machine
  '172.16.0.0/12',
  '192.168.0.0/16',
]

const specialV4 = [
  '0.0.0.0/8',
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation, as are 198.51.100 and 203.0.113
  '192.88.99.0/24', // relays of 6to4
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
]

const privateV6 = ['::1/128', 'fc00::/7', 'fe80::/10']

/** Inside of 2000::/3. */
const specialV6 = [
  '2001::/23', // protocol assignments, Teredo among them
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '3fff::/20', // documentation
]

function listOf(...ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [network = '', prefix = ''] = range.split('/')
    list.addSubnet(network, Number(prefix), network.includes(':') ? 'ipv6' : 'ipv4')
  }
  return list
}

/** The same range as a translator carries it. */
function translated(range: string): string {
  const [network, prefix] = range.split('/')
  return `64:ff9b::${network}/${96 + Number(prefix)}`
}

// One list for each family: a list of Node takes a v4-mapped address for the IPv4 address in it.
const v4 = { private: listOf(...privateV4), special: listOf(...specialV4) }
const v6 = {
  global: listOf('2000::/3', '64:ff9b::/96'),
  private: listOf(...privateV6, ...privateV4.map(translated)),
  special: listOf(...specialV6, ...specialV4.map(translated)),
}

export function addressKind(address: string): AddressKind {
  const [bare = ''] = address.split('%')
  switch (isIP(bare)) {
    case 4:
      if (v4.private.check(bare, 'ipv4')) return 'private'
      return v4.special.check(bare, 'ipv4') ? 'special' : 'public'
    case 6:
      if (v6.private.check(bare, 'ipv6')) return 'private'
      return v6.global.check(bare, 'ipv6') && !v6.special.check(bare, 'ipv6') ? 'public' : 'special'
    default:
      return 'special'
  }
}
