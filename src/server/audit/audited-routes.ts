import { codeOf } from '../../shared/domain/failure.ts'
import type { StorageChange } from '../changes/change.ts'
import type { Route, RouteResponse } from '../http/route.ts'
import { createCallRecorder, type CallRecorder, type CallRecorderDependencies } from './call-recorder.ts'
import { auditOfRoutes, type RouteAudit } from './route-actions.ts'
import { withStreamEnd } from './stream-end.ts'

export type AuditedRouteDependencies = CallRecorderDependencies & {
  /** Subscribes to the changes of files. Returns a function that unsubscribes. */
  readonly subscribe: (listener: (change: StorageChange) => void) => () => void
}

/** Wraps routes so that their calls are recorded as `auditOfRoutes` declares. */
export const withAudit = (
  dependencies: AuditedRouteDependencies,
  routes: readonly Route[],
): readonly Route[] =>
  routes.map((route) => {
    const audit = auditOfRoutes[route.endpoint.route]
    return audit === null ? route : { ...route, operation: auditedOperation(dependencies, route, audit) }
  })

type Operation = Route['operation']

function auditedOperation(
  dependencies: AuditedRouteDependencies,
  route: Route,
  audit: RouteAudit,
): Operation {
  const recorder = createCallRecorder(dependencies, audit)
  if (audit.records === 'uploads') return auditedUpload(dependencies, route, recorder)
  if (audit.records !== 'changes') return auditedRead(route, recorder)
  return async (request) => {
    const subject = audit.subject.isReadBefore ? await audit.subject.read(dependencies, request) : undefined
    const response = await orRecordFailure(
      () => route.operation(request),
      (thrown) => recorder.failed(request, codeOf(thrown), subject),
    )
    if (response.kind !== 'stream') {
      recorder.succeeded(request, response, subject)
      return response
    }
    const chunks = withStreamEnd(response.chunks, (failure) =>
      failure === null
        ? recorder.succeeded(request, response, subject)
        : recorder.failed(request, failure, subject),
    )
    return { ...response, chunks }
  }
}

/** Records an upload when its file is complete, which the storage announces while the last part is received. */
const auditedUpload =
  (
    { subscribe }: AuditedRouteDependencies,
    { endpoint, operation }: Route,
    recorder: CallRecorder,
  ): Operation =>
  async (request) => {
    let isComplete = false
    const unsubscribe = subscribe(({ call, userId, path }) => {
      if (call === endpoint.route && userId === request.caller?.user.id && path === request.path)
        isComplete = true
    })
    try {
      const response = await operation(request)
      if (isComplete) recorder.succeeded(request, response)
      return response
    } catch (thrown) {
      recorder.failed(request, codeOf(thrown))
      throw thrown
    } finally {
      unsubscribe()
    }
  }

/** Observes a read. An operation that returns synchronously stays synchronous, because small reads are frequent. */
const auditedRead =
  ({ operation }: Route, recorder: CallRecorder): Operation =>
  (request) => {
    const onFailure = (thrown: unknown): never => {
      recorder.failed(request, codeOf(thrown))
      throw thrown
    }
    const onSuccess = (response: RouteResponse): RouteResponse => {
      recorder.succeeded(request, response)
      return response
    }
    let result: RouteResponse | Promise<RouteResponse>
    try {
      result = operation(request)
    } catch (thrown) {
      return onFailure(thrown)
    }
    return result instanceof Promise ? result.then(onSuccess, onFailure) : onSuccess(result)
  }

async function orRecordFailure<T>(
  work: () => T | Promise<T>,
  onFailure: (thrown: unknown) => void,
): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    onFailure(thrown)
    throw thrown
  }
}
