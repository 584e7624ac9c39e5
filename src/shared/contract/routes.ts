/**
 * The HTTP method and the URL pattern of every route, by its name. The server and the client use them. In a pattern,
 * `*` stands for an undecoded path, `{id}` for the digits of a positive integer and `{size}` for one path segment. This
 * is the only file in this folder that the client may import at run time; it imports the others as types.
 */
export const routes = {
  'sessions.login': { method: 'POST', pattern: '/api/login' },
  'sessions.signup': { method: 'POST', pattern: '/api/signup' },
  'sessions.renew': { method: 'POST', pattern: '/api/renew' },
  'sessions.logout': { method: 'POST', pattern: '/api/logout' },
  'sessions.list': { method: 'GET', pattern: '/api/sessions' },
  'sessions.end': { method: 'DELETE', pattern: '/api/sessions/*' },
  'sessions.end-others': { method: 'DELETE', pattern: '/api/sessions' },
  'tickets.create': { method: 'POST', pattern: '/api/ticket' },
  'resources.get': { method: 'GET', pattern: '/api/resources/*' },
  'resources.recursive': { method: 'GET', pattern: '/api/resources/recursive/*' },
  'resources.create': { method: 'POST', pattern: '/api/resources/*' },
  'resources.save': { method: 'PUT', pattern: '/api/resources/*' },
  'resources.transfer': { method: 'PATCH', pattern: '/api/resources/*' },
  'resources.remove': { method: 'DELETE', pattern: '/api/resources/*' },
  'tus.begin': { method: 'POST', pattern: '/api/tus/*' },
  'tus.show': { method: 'GET', pattern: '/api/tus/*' },
  'tus.continue': { method: 'PATCH', pattern: '/api/tus/*' },
  'tus.abort': { method: 'DELETE', pattern: '/api/tus/*' },
  'archives.list': { method: 'GET', pattern: '/api/archive/*' },
  'archives.extract': { method: 'POST', pattern: '/api/archive/*' },
  'archives.create': { method: 'PUT', pattern: '/api/archive/*' },
  'archives.member': { method: 'GET', pattern: '/api/archive-member/*' },
  'raw.get': { method: 'GET', pattern: '/api/raw/*' },
  'preview.get': { method: 'GET', pattern: '/api/preview/{size}/*' },
  'preview.taken': { method: 'GET', pattern: '/api/taken/*' },
  'users.list': { method: 'GET', pattern: '/api/users' },
  'users.create': { method: 'POST', pattern: '/api/users' },
  'search.get': { method: 'GET', pattern: '/api/search/*' },
  'subtitles.get': { method: 'GET', pattern: '/api/subtitle/*' },
  'usage.get': { method: 'GET', pattern: '/api/usage/*' },
  'du.get': { method: 'GET', pattern: '/api/du/*' },
  'users.get': { method: 'GET', pattern: '/api/users/{id}' },
  'users.update': { method: 'PUT', pattern: '/api/users/{id}' },
  'users.remove': { method: 'DELETE', pattern: '/api/users/{id}' },
  'users.explain': { method: 'POST', pattern: '/api/users/{id}/explain' },
  'sessions.list-of': { method: 'GET', pattern: '/api/users/{id}/sessions' },
  'sessions.end-of': { method: 'DELETE', pattern: '/api/users/{id}/sessions' },
  'rules.check': { method: 'POST', pattern: '/api/rules/check' },
  'settings.get': { method: 'GET', pattern: '/api/settings' },
  'settings.options': { method: 'GET', pattern: '/api/settings/options' },
  'settings.has-logo': { method: 'GET', pattern: '/api/settings/logo' },
  'settings.set-logo': { method: 'PUT', pattern: '/api/settings/logo' },
  'settings.remove-logo': { method: 'DELETE', pattern: '/api/settings/logo' },
  'settings.update': { method: 'PUT', pattern: '/api/settings' },
  'hooks.list': { method: 'GET', pattern: '/api/hooks' },
  'hooks.try': { method: 'POST', pattern: '/api/hooks' },
  'overview.get': { method: 'GET', pattern: '/api/overview' },
  'audit.list': { method: 'GET', pattern: '/api/audit' },
  'audit.export': { method: 'GET', pattern: '/api/audit/export' },
  'takeover.get': { method: 'GET', pattern: '/api/takeover' },
  'doctor.echo': { method: 'GET', pattern: '/api/doctor/echo' },
  'doctor.receive': { method: 'POST', pattern: '/api/doctor/receive' },
  'doctor.stream': { method: 'GET', pattern: '/api/doctor/stream' },
  'doctor.file': { method: 'GET', pattern: '/api/doctor/file' },
  'shares.list': { method: 'GET', pattern: '/api/shares' },
  'shares.get': { method: 'GET', pattern: '/api/share/*' },
  'shares.create': { method: 'POST', pattern: '/api/share/*' },
  'shares.update': { method: 'PATCH', pattern: '/api/share/*' },
  'shares.remove': { method: 'DELETE', pattern: '/api/share/*' },
  'shares.received': { method: 'GET', pattern: '/api/received/*' },
  'shares.end-reception': { method: 'DELETE', pattern: '/api/received/*' },
  'public.show': { method: 'GET', pattern: '/api/public/share/*' },
  'public.download': { method: 'GET', pattern: '/api/public/dl/*' },
  'public.preview': { method: 'GET', pattern: '/api/public/preview/{size}/*' },
  'public.taken': { method: 'GET', pattern: '/api/public/taken/*' },
  'public.drop': { method: 'POST', pattern: '/api/public/drop/*' },
  'command.run': { method: 'GET', pattern: '/api/command/*' },
  'events.open': { method: 'GET', pattern: '/api/events' },
  'openapi.get': { method: 'GET', pattern: '/api/openapi.json' },
  'health.get': { method: 'GET', pattern: '/health' },
  'metrics.get': { method: 'GET', pattern: '/metrics' },
} as const

export type RouteName = keyof typeof routes
export type HttpMethod = (typeof routes)[RouteName]['method']
export type PatternOf<Name extends RouteName> = (typeof routes)[Name]['pattern']

/** The types of the parameters that a pattern may contain in braces. */
export type ParameterTypes = { readonly id: number; readonly size: string }

type ParameterNameIn<Pattern extends string> = Pattern extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterNameIn<Rest>
  : never

/**
 * The names and types of the parameters that a pattern contains in braces: `/api/users/{id}` gives `{ id: number }`,
 * `/api/users` gives `{}`.
 */
export type ParametersOf<Pattern extends string> = {
  readonly [Name in ParameterNameIn<Pattern>]: Name extends keyof ParameterTypes
    ? ParameterTypes[Name]
    : never
}

/** True for a pattern in which `*` stands for a path. */
export type HasPath<Pattern extends string> = Pattern extends `${string}*` ? true : false
