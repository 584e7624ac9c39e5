import { codeOf } from '../../shared/domain/failure.ts'
import type { Route, RouteResponse } from '../http/route.ts'
import { createCallRecorder, type CallRecorder, type CallRecorderDependencies } from './call-recorder.ts'
import { auditOfRoutes, type RouteAudit } from './audit-of-routes.ts'
import { withStreamEnd } from './stream-end.ts'

/** Wraps routes so that their calls are recorded as `auditOfRoutes` declares. */
export const withAudit = (
  dependencies: CallRecorderDependencies,
  routes: readonly Route[],
): readonly Route[] =>
  routes.map((route) => {
    const audit = auditOfRoutes[route.endpoint.route]
    return audit === null ? route : { ...route, operation: auditedOperation(dependencies, route, audit) }
  })

type Operation = Route['operation']

function auditedOperation(
  dependencies: CallRecorderDependencies,
  route: Route,
  audit: RouteAudit,
): Operation {
  const recorder = createCallRecorder(dependencies, audit)
  if (audit.records === 'changes') return operationWithSubject(dependencies, route, { audit, recorder })
  return observedOperation(route, recorder, audit.records === 'failures')
}

/** Records each call. A subject that the operation removes or changes is read before. */
const operationWithSubject =
  (
    dependencies: CallRecorderDependencies,
    { operation }: Route,
    { audit: { subject: reader }, recorder }: { readonly audit: RouteAudit; readonly recorder: CallRecorder },
  ): Operation =>
  async (request) => {
    const subject = reader.isReadBefore ? await reader.read(dependencies, request) : undefined
    try {
      const response = await operation(request)
      recorder.succeeded(request, response, subject)
      return response
    } catch (thrown) {
      recorder.failed(request, codeOf(thrown), subject)
      throw thrown
    }
  }

/**
 * Observes a call. An operation that returns synchronously stays synchronous, because small reads are frequent. With
 * `recordsLateFailures`, a failure that a response reports at its end is recorded as well.
 */
const observedOperation =
  ({ operation }: Route, recorder: CallRecorder, recordsLateFailures: boolean): Operation =>
  (request) => {
    const onFailure = (thrown: unknown): never => {
      recorder.failed(request, codeOf(thrown))
      throw thrown
    }
    const onSuccess = (response: RouteResponse): RouteResponse => {
      recorder.succeeded(request, response)
      if (!recordsLateFailures || response.kind !== 'stream') return response
      const chunks = withStreamEnd(response.chunks, (failure) => recorder.failed(request, failure))
      return { ...response, chunks }
    }
    let result: RouteResponse | Promise<RouteResponse>
    try {
      result = operation(request)
    } catch (thrown) {
      return onFailure(thrown)
    }
    return result instanceof Promise ? result.then(onSuccess, onFailure) : onSuccess(result)
  }
