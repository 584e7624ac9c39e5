import type { ChangeAnnouncer } from '../changes/announcer.ts'
import type { Config } from '../config/serving-options.ts'
import { createHooks } from '../hooks/hooks.ts'
import { createHookRunner, hookLimits, type HookFailure } from '../hooks/hook-runner.ts'
import { hookRoutes, type HookRouteDependencies } from '../hooks/routes.ts'
import { createKeyedLimiter } from '../concurrency/keyed-limiter.ts'
import type { Route } from '../http/route.ts'
import type { ProcessStarter } from '../programs/process-starter.ts'
import type { ServerRecords } from '../records/port.ts'
import type { AuditModule } from './audit.ts'
import type { Volume } from '../storage/port.ts'
import type { ServerRuntime } from './server-runtime.ts'

/** The dependencies of the hooks. */
export type HookModuleDependencies = {
  readonly startProcess: ProcessStarter
  readonly config: Pick<Config, 'disableExec'>
  readonly runtime: Pick<ServerRuntime, 'log' | 'nowMs' | 'environment'>
  readonly records: Pick<ServerRecords, 'settings'>
  readonly announcer: ChangeAnnouncer
  readonly audit: Pick<AuditModule, 'onHookFailure'>
  readonly volume: Pick<Volume, 'localDisk'>
}

export type HookModule = {
  /** Returns the routes with which administrators look at hooks and try them. */
  readonly routes: (checks: Pick<HookRouteDependencies, 'checkCurrentPassword'>) => readonly Route[]
  /** Ends all running hooks. */
  readonly close: () => Promise<void>
}

/** Registers the administrator's hook programs with the announcer, unless the execution of programs is disabled. */
export function composeHooks({
  startProcess,
  config,
  runtime,
  records,
  announcer,
  volume,
  audit,
}: HookModuleDependencies): HookModule {
  const { log, nowMs, environment = {} } = runtime
  const programs = { start: startProcess, environment, limits: hookLimits }
  const onFailure = (failure: HookFailure): void => audit.onHookFailure(failure)
  const runner = createHookRunner({ ...programs, log, onFailure })
  const settings = () => records.settings.get()
  if (!config.disableExec)
    announcer.setHooks(
      createHooks({ runner, settings, pathOnDisk: (path) => volume.localDisk?.pathOf(path) ?? null }),
    )
  const limiter = createKeyedLimiter({ maxConcurrent: 1, maxQueued: 3, errorCode: 'overloaded' })
  return {
    routes: (checks) =>
      hookRoutes({ ...programs, ...checks, settings, nowMs, limiter, isExecOn: !config.disableExec }),
    close: () => runner.close(),
  }
}
