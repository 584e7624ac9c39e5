import type { Endpoint } from '../../shared/contract/endpoint.ts'
import { storingFailures } from '../../shared/contract/errors.ts'
import { routes } from '../../shared/contract/routes.ts'
import type { ErrorCode } from '../../shared/domain/failure.ts'

/**
 * Returns the error codes of all failures of an endpoint: the failures that it declares, and the failures that follow
 * from its method, its path, its audience and its body.
 */
export function failuresOf(endpoint: Endpoint): ErrorCode[] {
  const { route, audience, body, hasIdentifierPath = false, failures = [] } = endpoint
  const { method, pattern } = routes[route]
  const changes = method !== 'GET'
  const hasEntryPath = pattern.includes('*') && !hasIdentifierPath
  return [
    ...new Set<ErrorCode>([
      'bad-request',
      'internal',
      'unavailable',
      ...codesIf(audience !== 'anyone', 'not-signed-in', 'forbidden'),
      ...codesIf(changes, 'forbidden'),
      ...codesIf(changes || endpoint.takesTokenInQuery === true, 'foreign-origin'),
      ...codesIf(/[*{]/.test(pattern), 'not-found'),
      ...codesIf(hasEntryPath, 'link-loop', 'timeout', 'busy'),
      ...codesIf(hasEntryPath && changes, 'name-taken', 'changed-meanwhile', ...storingFailures),
      ...codesIf(body !== 'none', 'too-large', 'encoded-body', 'truncated'),
      ...failures,
    ]),
  ]
}

const codesIf = (applies: boolean, ...codes: readonly ErrorCode[]): readonly ErrorCode[] =>
  applies ? codes : []
