import type { Endpoint } from '../../shared/contract/endpoint.ts'
import { routes } from '../../shared/contract/routes.ts'
import type { ErrorCode } from '../../shared/domain/failure.ts'

/** What can go wrong with a call: what follows from its declaration, and its own. */
export function failuresOf(endpoint: Endpoint): ErrorCode[] {
  const { route, who, body, isOfName = false, fails = [] } = endpoint
  const { method, pattern } = routes[route]
  const changes = method !== 'GET'
  const isOfPath = pattern.includes('*') && !isOfName
  return [
    ...new Set<ErrorCode>([
      'bad-request',
      'internal',
      'unavailable',
      ...when(who !== 'anyone', 'not-signed-in', 'forbidden'),
      ...when(changes, 'forbidden'),
      ...when(/[*{]/.test(pattern), 'not-found'),
      ...when(isOfPath, 'link-loop', 'timeout', 'busy'),
      ...when(isOfPath && changes, 'name-taken', 'changed-meanwhile', 'no-space'),
      ...when(body !== 'none', 'too-large', 'encoded-body', 'truncated'),
      ...fails,
    ]),
  ]
}

const when = (applies: boolean, ...codes: readonly ErrorCode[]): readonly ErrorCode[] =>
  applies ? codes : []
