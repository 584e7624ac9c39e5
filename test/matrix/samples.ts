import { Create } from 'typebox/value'
import { padding, tarEnd, tarHeader } from '../../src/server/archives/tar/tar-header.ts'
import type { Endpoint } from '../../src/shared/contract/endpoint.ts'
import { routes } from '../../src/shared/contract/routes.ts'
import { encodePath, pathOf, root } from '../../src/shared/domain/path.ts'

/**
 * A request that its endpoint accepts in the initial state of the matrix. Fields that are absent are derived from the
 * endpoint.
 */
export type SampleRequest = {
  /** The decoded path that replaces `*` in the pattern of the route. The default is the path of an existing file. */
  readonly path?: string
  /** Values for the placeholders in the pattern of the route, except `{id}`, which is always the id of the caller. */
  readonly placeholders?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  /** The JSON body. By default, the smallest body that matches the schema is sent. */
  readonly json?: unknown
  /**
   * The response for a hidden path (status, error code and text) when it is not the usual refusal with status 403. A
   * comment at each use gives the reason.
   */
  readonly hiddenResponse?: readonly [status: number, code: string | null, text: string]
}

/**
 * Samples for the endpoints that refuse a request before they read its path, unless it contains certain placeholders,
 * JSON fields, query parameters or headers. A test reports the endpoints that are missing here.
 */
export const samples: Readonly<Record<string, SampleRequest>> = {
  'sessions.login': { json: { username: 'ann', password: 'wrong', recaptcha: '' } },
  'resources.transfer': { query: { action: 'copy', destination: '/docs/copied.txt' } },
  'archives.member': { query: { member: 'in.txt' } },
  'archives.create': { path: '/docs/new.tar', json: { folder: '/docs', names: ['a.txt'] } },
  'preview.get': { placeholders: { size: 'thumb' } },
  'preview.taken': { path: '/docs' },
  'public.preview': { placeholders: { size: 'thumb' } },
  'shares.create': { json: {} },
  // For these four endpoints, the path begins with the hash of a share, and no share has this hash.
  'shares.update': { json: {}, hiddenResponse: [404, 'not-found', '404 Not Found\n'] },
  'shares.received': { hiddenResponse: [404, 'not-found', '404 Not Found\n'] },
  'shares.end-reception': { hiddenResponse: [404, 'not-found', '404 Not Found\n'] },
  'shares.remove': { hiddenResponse: [404, 'not-found', '404 Not Found\n'] },
  'sessions.end': {
    path: '/no-such-session',
    // For this endpoint, `*` is the id of a session and not a path of files.
    hiddenResponse: [404, 'not-found', '404 Not Found\n'],
  },
  'command.run': {
    path: '/docs',
    // An ordinary request to a socket endpoint is refused before the server reads the path. The tests of the socket are
    // next to its source.
    hiddenResponse: [400, 'bad-request', '400 Bad Request (a socket is expected)\n'],
  },
  'tickets.create': { json: { path: '/docs/a.txt', kind: 'raw' } },
  'users.create': {
    json: { what: 'user', which: [], data: { username: 'newcomer', password: 'a newcomer has one' } },
  },
  'users.explain': { json: { operation: 'view', path: '/docs/a.txt' } },
  'hooks.try': { json: { event: 'after_save', line: 'true' } },
  'rules.check': { json: { rules: [], path: '/docs' } },
  'settings.update': { json: { signup: false } },
  'users.update': { json: { what: 'user', which: ['locale'], data: { locale: 'en' } } },
}

const inTar = { name: 'in.txt', kind: 'file', sizeBytes: 4, modifiedMs: 0, permissions: 0o644 } as const

/** A tar file with the file `in.txt`. */
export const oneFileTar = Buffer.concat([tarHeader(inTar), Buffer.from('text'), padding(4), tarEnd()])

/** A PNG image of one pixel. */
export const onePixelPng = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
export const sampleOf = ({ route }: Endpoint): SampleRequest => samples[route] ?? {}

export const methodOf = ({ route }: Endpoint): string => routes[route].method

export const takesPath = ({ route }: Endpoint): boolean => routes[route].pattern.includes('*')

/** Returns the placeholders of an endpoint that its sample does not fill. */
export const unfilledPlaceholders = (endpoint: Endpoint): string[] =>
  Array.from(routes[endpoint.route].pattern.matchAll(/\{(\w+)\}/g), ([, name]) => name ?? '').filter(
    (name) => name !== 'id' && sampleOf(endpoint).placeholders?.[name] === undefined,
  )

export type SampleRequestOverrides = {
  readonly id: number
  /** The decoded path. */
  readonly path?: string
  /** The raw string that replaces `*` in the pattern of the route. It is sent unchanged, instead of an encoded path. */
  readonly rest?: string
  readonly query?: string
}

/** Returns the path and query of an endpoint, relative to the base path. */
export function requestTargetOf(
  endpoint: Endpoint,
  { id, path, rest, query }: SampleRequestOverrides,
): string {
  const sample = sampleOf(endpoint)
  const values = { ...sample.placeholders, id: String(id) } as Readonly<Record<string, string>>
  const place = routes[endpoint.route].pattern
    .replace(/\{(\w+)\}/g, (_all, name: string) => values[name] ?? '1')
    .replace('/*', () => rest ?? encodePath(pathOf(path ?? sample.path ?? '/docs/a.txt') ?? root))
  const search = query ?? new URLSearchParams(sample.query).toString()
  return search === '' ? place : `${place}?${search}`
}

/** Returns the JSON body of the sample request to an endpoint. */
export const jsonOf = ({ route, schema = {} }: Endpoint): unknown => samples[route]?.json ?? Create(schema)

/** Returns the body of the sample request to an endpoint, or undefined when the endpoint takes no body. */
export function bodyOf(endpoint: Endpoint): string | undefined {
  if (endpoint.body === 'bytes') return 'x'
  return endpoint.body === 'json' ? JSON.stringify(jsonOf(endpoint) ?? null) : undefined
}
