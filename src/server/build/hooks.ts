import type { Announcer } from '../changes/announcer.ts'
import type { Config } from '../config/serving-options.ts'
import { createHooks } from '../hooks/hooks.ts'
import { createHookRunner, hookLimits } from '../hooks/run-hooks.ts'
import type { Records } from '../records/port.ts'
import type { Volume } from '../storage/port.ts'

export type HookParts = {
  readonly config: Pick<Config, 'disableExec'>
  readonly world: {
    readonly log: (line: string) => void
    readonly environment?: Readonly<Record<string, string | undefined>>
  }
  readonly records: Pick<Records, 'settings'>
  readonly announcer: Announcer
  readonly volume: Pick<Volume, 'pathOnDisk'>
}

/** Gives the administrator's programs their say in changes, where running programs is switched on at all. */
export function openHooks({ config, world, records, announcer, volume }: HookParts): {
  readonly close: () => Promise<void>
} {
  const { log, environment = {} } = world
  const runner = createHookRunner({ environment, limits: hookLimits, log })
  const { settings } = records
  if (!config.disableExec)
    announcer.letSpeak(
      createHooks({ runner, settings: () => settings.get(), pathOnDisk: (path) => volume.pathOnDisk(path) }),
    )
  return { close: () => runner.close() }
}
