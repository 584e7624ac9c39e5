import type { ChangeAnnouncer } from '../changes/announcer.ts'
import type { Config } from '../config/serving-options.ts'
import { createHooks } from '../hooks/hooks.ts'
import { createHookRunner, hookLimits } from '../hooks/hook-runner.ts'
import type { ProcessStarter } from '../programs/process-starter.ts'
import type { ServerRecords } from '../records/port.ts'
import type { Volume } from '../storage/port.ts'

/** The dependencies of the hooks. */
export type HookModuleDependencies = {
  readonly startProcess: ProcessStarter
  readonly config: Pick<Config, 'disableExec'>
  readonly runtime: {
    readonly log: (line: string) => void
    readonly environment?: Readonly<Record<string, string | undefined>>
  }
  readonly records: Pick<ServerRecords, 'settings'>
  readonly announcer: ChangeAnnouncer
  readonly volume: Pick<Volume, 'pathOnDisk'>
}

/**
 * Registers the administrator's hook programs with the announcer, unless the execution of programs is disabled. `close`
 * ends all running hooks.
 */
export function composeHooks({
  startProcess,
  config,
  runtime,
  records,
  announcer,
  volume,
}: HookModuleDependencies): {
  readonly close: () => Promise<void>
} {
  const { log, environment = {} } = runtime
  const runner = createHookRunner({ start: startProcess, environment, limits: hookLimits, log })
  const { settings } = records
  if (!config.disableExec)
    announcer.setHooks(
      createHooks({ runner, settings: () => settings.get(), pathOnDisk: (path) => volume.pathOnDisk(path) }),
    )
  return { close: () => runner.close() }
}
