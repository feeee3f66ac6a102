import { BlockList, isIP } from 'node:net'

// Special-purpose addresses (IANA registries): no forge on the internet has one.
const special = new BlockList()
for (const range of [
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24',
  '192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4',
].flatMap((line) => line.split(' ')))
  addRange(special, range, 'ipv4')
for (const range of ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']) addRange(special, range, 'ipv6')

const privateRanges = new BlockList()
for (const range of ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10'])
  addRange(privateRanges, range, 'ipv4')
addRange(privateRanges, 'fc00::/7', 'ipv6')

// Everything else of IPv6 is loopback, link-local, multicast, or IPv4 in disguise.
const globalUnicast = new BlockList()
addRange(globalUnicast, '2000::/3', 'ipv6')

function addRange(list: BlockList, range: string, family: 'ipv4' | 'ipv6') {
  const [address = '', bits] = range.split('/')
  list.addSubnet(address, Number(bits), family)
}

/** Anything that is not clearly public or private is `special`: loopback, link-local, documentation, multicast, mapped IPv4. */
export function classifyAddress(address: string): 'public' | 'private' | 'loopback' | 'special' {
  if (address === '127.0.0.1' || address === '::1') return 'loopback'
  if (isIP(address) === 4) {
    if (privateRanges.check(address, 'ipv4')) return 'private'
    return special.check(address, 'ipv4') ? 'special' : 'public'
  }
  if (isIP(address) !== 6 || address.includes('.')) return 'special'
  if (globalUnicast.check(address, 'ipv6')) return special.check(address, 'ipv6') ? 'special' : 'public'
  return privateRanges.check(address, 'ipv6') ? 'private' : 'special'
}
