import { Create } from 'typebox/value'
import type { Endpoint } from '../../src/shared/contract/endpoint.ts'
import { routes } from '../../src/shared/contract/routes.ts'
import { encodePath, pathOf, root } from '../../src/shared/domain/path.ts'

/** A request that its call takes when the world of the matrix is as it was made. What is left out follows from the endpoint. */
export type Sample = {
  /** Decoded, for `*`; a file that is there. */
  readonly path?: string
  /** For the placeholders of the pattern, but `{id}`: that is always the caller's own. */
  readonly in?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  /** In place of the least that fits the schema. */
  readonly json?: unknown
  /** Status, word and text for a path that may not be known, where they are not those of 403; say why. */
  readonly hiddenAnswer?: readonly [status: number, code: string | null, text: string]
}

/**
 * One line a call, only where it is needed: what stands for a placeholder, JSON, a query or headers without which a call is refused
 * before its path is looked at. A test names the calls whose line is missing.
 */
export const samples: Readonly<Record<string, Sample>> = {
  'sessions.login': { json: { username: 'ann', password: 'wrong', recaptcha: '' } },
  'resources.transfer': { query: { action: 'copy', destination: '/docs/copied.txt' } },
  'preview.get': { in: { size: 'thumb' } },
  'shares.create': { json: {} },
  // What stands for the path is a hash: nobody has this one, whatever lies there.
  'shares.remove': { hiddenAnswer: [404, 'not-found', '404 Not Found\n'] },
  'sessions.end': {
    path: '/no-such-session',
    // what stands for `*` is a session's id, not a path of files
    hiddenAnswer: [404, 'not-found', '404 Not Found\n'],
  },
  'command.run': {
    path: '/docs',
    // An ordinary request for a socket is refused before its path is looked at; the socket itself is tested beside its source.
    hiddenAnswer: [400, 'bad-request', '400 Bad Request (a socket is expected)\n'],
  },
  'tickets.create': { json: { path: '/docs/a.txt', kind: 'raw' } },
  'users.create': {
    json: { what: 'user', which: [], data: { username: 'newcomer', password: 'a newcomer has one' } },
  },
  'settings.update': { json: { signup: false } },
  'users.update': { json: { what: 'user', which: ['locale'], data: { locale: 'en' } } },
}

/** A picture of one point. */
export const onePoint = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
export const sampleOf = ({ route }: Endpoint): Sample => samples[route] ?? {}

export const methodOf = ({ route }: Endpoint): string => routes[route].method

export const takesPath = ({ route }: Endpoint): boolean => routes[route].pattern.includes('*')

/** The placeholders of a call that its sample says nothing about. */
export const unnamedPlaceholders = (endpoint: Endpoint): string[] =>
  Array.from(routes[endpoint.route].pattern.matchAll(/\{(\w+)\}/g), ([, name]) => name ?? '').filter(
    (name) => name !== 'id' && sampleOf(endpoint).in?.[name] === undefined,
  )

export type Wish = {
  readonly id: number
  /** Decoded. */
  readonly path?: string
  /** What stands for `*` as it is sent, in place of a path. */
  readonly rest?: string
  readonly query?: string
}

/** The address of a call, below the base path. */
export function addressOf(endpoint: Endpoint, { id, path, rest, query }: Wish): string {
  const sample = sampleOf(endpoint)
  const named = { ...sample.in, id: String(id) } as Readonly<Record<string, string>>
  const place = routes[endpoint.route].pattern
    .replace(/\{(\w+)\}/g, (_all, name: string) => named[name] ?? '1')
    .replace('/*', () => rest ?? encodePath(pathOf(path ?? sample.path ?? '/docs/a.txt') ?? root))
  const search = query ?? new URLSearchParams(sample.query).toString()
  return search === '' ? place : `${place}?${search}`
}

/** The JSON of a call. */
export const jsonOf = ({ route, schema = {} }: Endpoint): unknown => samples[route]?.json ?? Create(schema)

/** What a call sends. */
export function bodyOf(endpoint: Endpoint): string | undefined {
  if (endpoint.body === 'bytes') return 'x'
  return endpoint.body === 'json' ? JSON.stringify(jsonOf(endpoint) ?? null) : undefined
}
