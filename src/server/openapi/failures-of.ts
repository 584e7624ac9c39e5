import type { Endpoint } from '../../shared/contract/endpoint.ts'
import { routes } from '../../shared/contract/routes.ts'
import type { ErrorCode } from '../../shared/domain/failure.ts'

/**
 * Returns all failures of a call: the failures that it declares, and the failures that follow from the rest of its
 * declaration.
 */
export function failuresOf(endpoint: Endpoint): ErrorCode[] {
  const { route, audience, body, hasIdentifierPath = false, failures = [] } = endpoint
  const { method, pattern } = routes[route]
  const changes = method !== 'GET'
  const isOfPath = pattern.includes('*') && !hasIdentifierPath
  return [
    ...new Set<ErrorCode>([
      'bad-request',
      'internal',
      'unavailable',
      ...when(audience !== 'anyone', 'not-signed-in', 'forbidden'),
      ...when(changes, 'forbidden'),
      ...when(/[*{]/.test(pattern), 'not-found'),
      ...when(isOfPath, 'link-loop', 'timeout', 'busy'),
      ...when(isOfPath && changes, 'name-taken', 'changed-meanwhile', 'no-space'),
      ...when(body !== 'none', 'too-large', 'encoded-body', 'truncated'),
      ...failures,
    ]),
  ]
}

const when = (applies: boolean, ...codes: readonly ErrorCode[]): readonly ErrorCode[] =>
  applies ? codes : []
