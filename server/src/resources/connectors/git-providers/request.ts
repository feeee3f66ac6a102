import { lookup as lookupName } from 'node:dns/promises'
import { once } from 'node:events'
import {
  Agent as HttpAgent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as requestHttp,
} from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { createGunzip } from 'node:zlib'
import type { ConnectorHosts } from '../../../settings/connector-hosts.ts'
import { HostRefusedError, ProviderError, ProviderUnavailableError } from './provider-client.ts'

// Special-purpose addresses (IANA registries): no Git provider on the internet has one.
const special = new BlockList()
for (const range of [
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24',
  '192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4',
].flatMap((line) => line.split(' ')))
  addRange(special, range, 'ipv4')
for (const range of ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']) addRange(special, range, 'ipv6')

// Metadata services of clouds hand out credentials of the machine. Those within special ranges need no entry: 169.254.0.0/16,
// 192.0.0.0/24 and fe80::/10.
const metadata = new BlockList()
// Alibaba Cloud and Azure.
for (const address of ['100.100.100.200', '168.63.129.16']) metadata.addAddress(address, 'ipv4')
// AWS, Google Cloud, Oracle Cloud and Scaleway.
for (const range of ['fd00:ec2::/32', 'fd20:ce::254/128', 'fd00:c1::a9fe:a9fe/128', 'fd00:42::42/128'])
  addRange(metadata, range, 'ipv6')

const privateIpv4 = new BlockList()
for (const range of ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10'])
  addRange(privateIpv4, range, 'ipv4')
// Apart from them: a list with IPv4 ranges also contains their addresses mapped to IPv6.
const privateIpv6 = new BlockList()
addRange(privateIpv6, 'fc00::/7', 'ipv6')

// Everything else of IPv6 is loopback, link-local, multicast, or IPv4 in disguise.
const globalUnicast = new BlockList()
addRange(globalUnicast, '2000::/3', 'ipv6')

function addRange(list: BlockList, range: string, family: 'ipv4' | 'ipv6') {
  const [address = '', bits] = range.split('/')
  list.addSubnet(address, Number(bits), family)
}

/** Anything that is not clearly public or private is `special`: loopback, link-local, metadata, documentation, multicast, mapped IPv4. */
export function classifyAddress(address: string): 'public' | 'private' | 'loopback' | 'special' {
  if (address === '127.0.0.1' || address === '::1') return 'loopback'
  if (isIP(address) === 4) {
    if (metadata.check(address, 'ipv4')) return 'special'
    if (privateIpv4.check(address, 'ipv4')) return 'private'
    return special.check(address, 'ipv4') ? 'special' : 'public'
  }
  if (isIP(address) !== 6 || address.includes('.') || metadata.check(address, 'ipv6')) return 'special'
  if (globalUnicast.check(address, 'ipv6')) return special.check(address, 'ipv6') ? 'special' : 'public'
  return privateIpv6.check(address, 'ipv6') ? 'private' : 'special'
}

// The only way of connectors to the network. Errors name the host and a code, never a path, a query, a header or a body: each of
// them may contain a secret.

export interface ProviderRequest {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface ProviderResponse {
  readonly status: number
  /** After redirects. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** The Git provider was too slow. A smaller request may succeed. */
export class ProviderTimeoutError extends ProviderUnavailableError {}

/** The body exceeds the size limit. A smaller request may succeed. */
export class OversizeBodyError extends ProviderUnavailableError {}

/** The exchange ends when the signal aborts. */
export type SendRequest = (request: ProviderRequest, signal?: AbortSignal) => Promise<ProviderResponse>

export interface SenderOptions {
  readonly hosts: ConnectorHosts
  /** For the whole exchange with its redirects, until the last byte of the body. */
  readonly timeoutMs?: number
  /** Maximum size of the body after decompression. */
  readonly maxBytes?: number
  /** Resolves a name to all of its addresses. */
  readonly resolve?: (host: string) => Promise<readonly ResolvedAddress[]>
}

const MAX_REDIRECTS = 3
const DEFAULT_TIMEOUT_MS = 30_000
const DEFAULT_MAX_BYTES = 32 * 1024 ** 2
const redirectStatus = new Set([301, 302, 303, 307, 308])
const secretHeaders = new Set(['authorization', 'private-token', 'cookie'])

export function createSender(options: SenderOptions): SendRequest {
  const { hosts, timeoutMs = DEFAULT_TIMEOUT_MS } = options
  const agents = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) }
  return async (first, aborted) => {
    const timeout = AbortSignal.timeout(timeoutMs)
    const signal = aborted === undefined ? timeout : AbortSignal.any([timeout, aborted])
    let request = first
    for (let hops = 0; ; hops++) {
      const response = await sendOnce(request, options, agents, signal)
      const { location } = response.headers
      if (!redirectStatus.has(response.status) || location === undefined) return response
      if (hops === MAX_REDIRECTS)
        throw new ProviderUnavailableError(`${toHost(request.url)} redirects too often.`)
      request = followRedirect(request, response.status, location, hosts)
    }
  }
}

/** Throws if connectors may not send requests to this URL. Its addresses are checked when a connection is opened. */
function assertAllowedUrl(url: string, hosts: ConnectorHosts): URL {
  const parsed = URL.parse(url)
  if (parsed === null || !hosts.has(parsed.origin))
    throw new HostRefusedError(`${parsed?.host || 'This address'} is not one of CONNECTOR_HOSTS.`)
  if (parsed.username !== '' || parsed.password !== '')
    throw new HostRefusedError(`The address of ${parsed.host} must not contain a user or a password.`)
  return parsed
}

function followRedirect(
  request: ProviderRequest,
  status: number,
  location: string,
  hosts: ConnectorHosts,
): ProviderRequest {
  const target = assertAllowedUrl(URL.parse(location, request.url)?.href ?? '', hosts)
  const source = new URL(request.url)
  if (target.protocol !== source.protocol)
    throw new HostRefusedError(`${source.host} redirects to another scheme.`)
  // 307 and 308 would send the body again, 301 to 303 would drop it: neither is what the caller meant.
  if (request.method !== 'GET')
    throw new ProviderUnavailableError(`${source.host} redirects a ${request.method} request (${status}).`)
  const headers =
    target.origin === source.origin
      ? request.headers
      : Object.fromEntries(
          Object.entries(request.headers).filter(([name]) => !secretHeaders.has(name.toLowerCase())),
        )
  return { ...request, url: target.href, headers }
}

/** The addresses that git may connect to for this URL. Throws if connectors may not send requests to it. */
export async function resolveAllowed(url: string, options: SenderOptions): Promise<string[]> {
  const signal = AbortSignal.timeout(options.timeoutMs ?? DEFAULT_TIMEOUT_MS)
  const found = await resolveChecked(assertAllowedUrl(url, options.hosts), options, signal)
  return found.map(({ address }) => address)
}

async function sendOnce(
  request: ProviderRequest,
  options: SenderOptions,
  agents: { http: HttpAgent; https: HttpsAgent },
  signal: AbortSignal,
): Promise<ProviderResponse> {
  const { hosts, maxBytes = DEFAULT_MAX_BYTES } = options
  const url = assertAllowedUrl(request.url, hosts)
  const addresses = await resolveChecked(url, options, signal)
  const headers = { 'accept-encoding': 'gzip', ...request.headers }
  const isPlain = url.protocol === 'http:'
  const send = isPlain ? requestHttp : requestHttps
  return await new Promise<ProviderResponse>((fulfil, reject) => {
    const fail = (error: unknown) => reject(toProviderError(error, url.host, signal))
    const outgoing = send(
      url,
      {
        method: request.method,
        headers:
          request.body === undefined
            ? headers
            : { ...headers, 'content-length': String(Buffer.byteLength(request.body)) },
        agent: isPlain ? agents.http : agents.https,
        lookup: createFixedLookup(addresses),
        signal,
      },
      (incoming) => {
        readBody(incoming, maxBytes, url.host).then(
          (body) =>
            fulfil({ status: incoming.statusCode ?? 0, url: url.href, headers: incoming.headers, body }),
          (error: unknown) => {
            outgoing.destroy()
            fail(error)
          },
        )
      },
    )
    outgoing.on('error', fail)
    outgoing.end(request.body)
  })
}

interface ResolvedAddress {
  readonly address: string
  readonly family: number
}

async function resolveChecked(
  url: URL,
  { hosts, resolve = resolveAll }: SenderOptions,
  signal: AbortSignal,
): Promise<readonly ResolvedAddress[]> {
  const network = hosts.get(url.origin)?.network ?? 'public'
  const check = (address: string) => {
    const kind = classifyAddress(address)
    if (kind === 'public' ? network === 'loopback' : kind !== network)
      throw new HostRefusedError(`${url.host} has a ${kind} address, which is not allowed for this host.`)
  }
  const literal = url.hostname.replace(/^\[|\]$/g, '')
  const family = isIP(literal)
  try {
    const found =
      family === 0
        ? await Promise.race([resolve(literal), rejectOnAbort(signal)])
        : [{ address: literal, family }]
    for (const { address } of found) check(address)
    if (found.length > 0) return found
  } catch (error) {
    throw toProviderError(error, url.host, signal)
  }
  throw new ProviderUnavailableError(`${url.host} has no address.`)
}

/** Connections go to the addresses that were checked, because a second answer of the DNS can differ. */
function createFixedLookup(addresses: readonly ResolvedAddress[]): LookupFunction {
  return (_hostname, { all }, callback) => {
    const [first] = addresses
    if (all || first === undefined) callback(null, [...addresses])
    else callback(null, first.address, first.family)
  }
}

async function rejectOnAbort(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort')
  throw new Error('The time is up.')
}

async function resolveAll(host: string) {
  return await lookupName(host, { all: true })
}

async function readBody(incoming: IncomingMessage, maxBytes: number, host: string): Promise<Buffer> {
  const isCompressed = incoming.headers['content-encoding'] === 'gzip'
  const stream = isCompressed ? incoming.pipe(createGunzip()) : incoming
  const chunks: Buffer[] = []
  let bytes = 0
  // pipe does not pass an error on.
  if (isCompressed) incoming.on('error', (error) => stream.destroy(error))
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new OversizeBodyError(`${host} sent a body of more than ${maxBytes} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function toProviderError(error: unknown, host: string, signal: AbortSignal): ProviderError {
  if (error instanceof ProviderError) return error
  if (signal.aborted) return new ProviderTimeoutError(`${host} did not respond in time.`)
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'connection failure'
  return new ProviderUnavailableError(`${host} is unavailable (${code}).`)
}

function toHost(url: string): string {
  return URL.parse(url)?.host ?? 'The Git provider'
}
