import * as fc from 'fast-check'
import type { Endpoint } from '../../src/shared/contract/endpoint.ts'
import { routes } from '../../src/shared/contract/routes.ts'

/** A generated request, exactly as it is sent. It need not be valid. */
export type GeneratedRequest = {
  readonly endpoint: Endpoint
  readonly method: string
  readonly requestTarget: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  readonly isSignedIn: boolean
}

const printable = fc.string({ unit: 'grapheme', maxLength: 40 }).map(encodeURIComponentSafely)

const strangeNames = [
  'a'.repeat(255),
  'a'.repeat(256),
  ...'.. .  ~ * CON ;a=b __proto__ toString %2e%2e %2E %00 %zz % %ff %ED%A0%80 %2F %5c a%0Ab %F0%9F%92%A9 \xe4'.split(
    ' ',
  ),
]

/**
 * Generates path segments: existing names, hidden names, references to parent folders, malformed names and random
 * names.
 */
const segment = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('docs', 'a.txt', 'b.txt', 'sub', 'new.txt') },
  { weight: 2, arbitrary: fc.constantFrom('hidden', 'out', '.stowage', 'deep', 'thumb', 'big') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(...strangeNames),
  },
  { weight: 1, arbitrary: printable },
)

const placeholder = fc.oneof(
  fc.constantFrom('1', '2', '99', '0', '-1', '1e3', 'NaN', '9'.repeat(15)),
  segment,
)

const word = fc.oneof(
  fc.constantFrom(
    '',
    'true',
    'false',
    '1',
    '0',
    '-1',
    '1e99',
    'name',
    'size',
    'zip',
    'tar.gz',
    'md5',
    'sha256',
  ),
  fc.constantFrom(
    'copy',
    'rename',
    'user',
    'all',
    'password',
    'locale',
    'perm',
    '/docs/a.txt',
    '/docs/c',
    '/../x',
  ),
  fc.constantFrom('%2Fdocs%2Fd', '%2e%2e', '%00', '%', 'null', '[]', '{}', 'hours', '999999999999999999999'),
  printable,
)

const knownKeys =
  'inline auth files algo checksum permanent override rename action destination query key by asc'

const queryOf = ({ query }: Endpoint) => {
  const own = Object.keys(query !== undefined && 'properties' in query ? (query.properties as object) : {})
  const key = fc.oneof(fc.constantFrom('x', ...own, ...own, ...knownKeys.split(' ')), printable)
  return fc
    .array(fc.tuple(key, fc.option(word)), { maxLength: 5 })
    .map((pairs) => pairs.map(([key, value]) => (value === null ? key : `${key}=${value}`)).join('&'))
}

/** The password of the shares that have one. */
export const sharePassword = 'a shared password'

const headerValue = fc.oneof(
  fc.constantFrom(
    '',
    '*',
    '0',
    '1',
    '-1',
    'W/"x"',
    '"x", "y"',
    'bytes=0-',
    'bytes=9-1',
    'bytes=-0',
    'bytes=0-0,0-0',
    sharePassword,
  ),
  fc.constantFrom(
    'gzip',
    'identity',
    'application/json',
    'application/x-ndjson',
    'null',
    'same-origin',
    'none',
  ),
  fc.constantFrom(
    'application/offset+octet-stream',
    'Thu, 01 Jan 1970 00:00:00 GMT',
    '\xff\xfe',
    'a'.repeat(5000),
  ),
  fc.string({ maxLength: 30 }).map((text) => text.replaceAll(/[^\t\x20-\x7e]/g, '')),
)

const headerNames =
  'accept accept-encoding accept-language content-type content-encoding range if-range if-match if-none-match if-modified-since ' +
  'if-unmodified-since origin referer sec-fetch-site sec-fetch-mode sec-fetch-dest x-origin x-share-password x-encoding x-auth cookie ' +
  'x-guest-name x-guest-note x-upload-id x-modified-ms upload-offset upload-length upload-metadata tus-resumable x-forwarded-for x-forwarded-proto x-request-id depth'

const headers = fc.dictionary(fc.constantFrom(...headerNames.split(' ')), headerValue, { maxKeys: 4 })

/**
 * Generates a value that is valid for a schema, so that the request reaches the operation. Strings are chosen from
 * values that have a special meaning in some endpoint.
 */
export function valueOf(schema: RequestSchema): fc.Arbitrary<unknown> {
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(valueOf))
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.type === 'string') return word
  if (schema.type === 'boolean') return fc.boolean()
  if (schema.type === 'number' || schema.type === 'integer') return fc.oneof(fc.integer(), fc.double())
  if (schema.type === 'array') return fc.array(valueOf(schema.items ?? {}), { maxLength: 4 })
  if (schema.properties !== undefined) {
    const members = Object.entries(schema.properties).map(
      ([name, property]) => [name, valueOf(property)] as const,
    )
    return fc.record(Object.fromEntries(members), { requiredKeys: [...(schema.required ?? [])] })
  }
  if (schema.type === 'null') return fc.constant(null)
  if (schema.type === 'undefined') return fc.constant(undefined)
  return fc.oneof(fc.dictionary(word, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 5 }), fc.jsonValue())
}

type RequestSchema = {
  readonly type?: string
  readonly anyOf?: readonly RequestSchema[]
  readonly const?: unknown
  readonly items?: RequestSchema
  readonly properties?: Readonly<Record<string, RequestSchema>>
  readonly required?: readonly string[]
}

function bodyOf({ body, schema = {} }: Endpoint): fc.Arbitrary<string | undefined> {
  const garbage = fc.oneof(
    fc.constantFrom(
      '',
      '{',
      'null',
      '[]',
      '"',
      '{"__proto__":{"a":1}}',
      '['.repeat(40),
      '\u0000',
      '{"a":1}{',
    ),
    fc.string({ unit: 'binary', maxLength: 200 }),
  )
  if (body !== 'json') return fc.option(garbage, { nil: undefined })
  const fitting = valueOf(schema as RequestSchema).map((value) => JSON.stringify(value) as string | undefined)
  return fc.oneof({ weight: 3, arbitrary: fitting }, { weight: 1, arbitrary: garbage })
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']

/**
 * Generates the end of a share URL. A few URLs have an unknown hash, but too few to trigger the throttle for guessed
 * hashes.
 */
const belowShare =
  (hashes: readonly string[]) =>
  (names: readonly string[]): fc.Arbitrary<readonly string[]> =>
    fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...hashes).map((hash) => [hash, ...names.slice(1)]) },
      { weight: 1, arbitrary: fc.constant(names) },
    )

/**
 * Generates a request to an endpoint. Most requests have the method of the endpoint and are signed in.
 */
export function requestTo(endpoint: Endpoint, hashes: readonly string[]): fc.Arbitrary<GeneratedRequest> {
  const { method, pattern } = routes[endpoint.route]
  const parts = pattern.split('/').slice(1)
  const isPublic = endpoint.route.startsWith('public.')
  const names = fc.array(segment, { maxLength: 4 })
  const rest = (isPublic ? names.chain(belowShare(hashes)) : names).map((all) => all.join('/'))
  const place = fc
    .tuple(
      ...parts.map((part) => (part === '*' ? rest : part.startsWith('{') ? placeholder : fc.constant(part))),
    )
    .map((names) => `/${names.join('/')}`)
  const requestTarget = fc
    .tuple(place, queryOf(endpoint))
    .map(([path, query]) => (query === '' ? path : `${path}?${query}`))
  return fc.record({
    endpoint: fc.constant(endpoint),
    method: fc.oneof(
      { weight: 6, arbitrary: fc.constant<string>(method) },
      { weight: 1, arbitrary: fc.constantFrom(...methods) },
    ),
    requestTarget,
    headers,
    body: bodyOf(endpoint),
    isSignedIn: fc.oneof(
      { weight: 5, arbitrary: fc.constant(true) },
      { weight: 1, arbitrary: fc.constant(false) },
    ),
  })
}

function encodeURIComponentSafely(text: string): string {
  return encodeURIComponent(text.isWellFormed() ? text : 'x')
}
