import { lookup } from 'node:dns'
import type { LookupAddress } from 'node:dns'
import { BlockList, isIP } from 'node:net'
import type { LookupFunction } from 'node:net'

/**
 * IANA's registries of special-purpose addresses (RFC 6890), whole: those that are no host on the internet (RFC 1112,
 * RFC 5737, RFC 6598), and those that many hosts share: AS112 (RFC 7534, RFC 7535), AMT (RFC 7450), and the withdrawn
 * 6to4 relays (RFC 7526).
 */
const privateIpv4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]
/**
 * The only IPv6 addresses that lead to the internet: global unicast (RFC 4291), and IPv4 ones mapped or through NAT64
 * (RFC 6052).
 */
const publicIpv6: readonly (readonly [string, number])[] = [
  ['2000::', 3],
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
]
/** Of these not: protocol assignments with Teredo (RFC 2928), documentation (RFC 3849, RFC 9637), AS112 (RFC 7534). */
const privateIpv6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
]

const publicAddresses = new BlockList()
for (const [address, prefix] of publicIpv6) publicAddresses.addSubnet(address, prefix, 'ipv6')
const privateAddresses = new BlockList()
for (const [address, prefix] of privateIpv4) {
  privateAddresses.addSubnet(address, prefix, 'ipv4')
  // The same address as an IPv6 one writes it: mapped (RFC 4291), through NAT64 (RFC 6052) and 6to4 (RFC 3056).
  privateAddresses.addSubnet(`::ffff:${address}`, 96 + prefix, 'ipv6')
  privateAddresses.addSubnet(`64:ff9b::${address}`, 96 + prefix, 'ipv6')
  const [high, low] = hextets(address)
  privateAddresses.addSubnet(`2002:${high}:${low}::`, 16 + prefix, 'ipv6')
}
for (const [address, prefix] of privateIpv6) privateAddresses.addSubnet(address, prefix, 'ipv6')

/**
 * True for an IP address that is no host on the internet: private, loopback, link-local, multicast, unspecified,
 * reserved.
 */
export function isPrivateAddress(address: string): boolean {
  const version = isIP(address)
  if (version === 6) return !publicAddresses.check(address, 'ipv6') || privateAddresses.check(address, 'ipv6')
  return version === 4 && privateAddresses.check(address, 'ipv4')
}

/**
 * True when the host of a URL says by itself that it is private: an address in any form that the WHATWG URL parser
 * knows (decimal, hex, octal, short), or `localhost`. What a name resolves to is seen when it is connected to:
 * `publicLookup`.
 */
export function namesPrivateHost(url: URL): boolean {
  const host = url.hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.+$/, '')
    .toLowerCase()
  return host === 'localhost' || host.endsWith('.localhost') || isPrivateAddress(host)
}

/** Why nothing is sent to a `callback` that leads to a private address. */
export const privateAddress = 'private_address'

/**
 * Resolves names for a connection to public addresses only, so that neither a name nor its later change leads inside.
 */
export const publicLookup: LookupFunction = (hostname, options, answer) => {
  lookup(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
    if (error) return answer(error, '', 0)
    const open = found.filter(({ address }) => !isPrivateAddress(address))
    const [first] = open
    if (first === undefined)
      return answer(Object.assign(new Error('the name resolves to a private address'), { code: privateAddress }), '', 0)
    if (options.all === true) answer(null, open)
    else answer(null, first.address, first.family)
  })
}

function hextets(ipv4: string): [string, string] {
  const [a = 0, b = 0, c = 0, d = 0] = ipv4.split('.').map(Number)
  return [(a * 256 + b).toString(16), (c * 256 + d).toString(16)]
}
