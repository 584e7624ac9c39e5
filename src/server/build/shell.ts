import type { Door } from '../access/door.ts'
import type { Config } from '../config/serving-options.ts'
import { findBubblewrap } from '../programs/find-bubblewrap.ts'
import type { Records } from '../records/port.ts'
import { commandLimits, type CommandLimits } from '../shell/command-limits.ts'
import { commandLine } from '../shell/command-note.ts'
import { createShell, type Shell } from '../shell/routes.ts'
import { createTurns } from '../turns/turns.ts'
import { createCommandRunner } from './command-runner.ts'
import { limits } from '../../shared/domain/limits.ts'

type ShellParts = {
  readonly config: Config
  readonly records: Records
  readonly door: Door
  readonly world: {
    readonly nowMs: () => number
    readonly log: (line: string) => void
    readonly environment?: Readonly<Record<string, string | undefined>>
    readonly commandLimits?: Partial<CommandLimits>
  }
  readonly onFault: (error: unknown) => void
}

/** People's commands: who may, in which sandbox, and what is remembered of it. */
export function openShell({ config, records, door, world, onFault }: ShellParts): Shell {
  const { nowMs, environment = {} } = world
  const runner = createCommandRunner({ config, nowMs, environment, findSandbox: findBubblewrap })
  return createShell({
    async reachOf(userId) {
      const user = await records.users.find(userId)
      if (user === null) return null
      const { rules } = await records.settings.get()
      const hasDenials = [...rules, ...user.rules].some((rule) => !rule.allow)
      return { user, storage: await door.storageOf(user), hasDenials }
    },
    ...runner,
    turns: createTurns({ atOnce: limits.commandsAtOnce }),
    limits: { ...commandLimits, ...world.commandLimits },
    note: (note) => world.log(commandLine(config.logFormat === 'json' ? 'json' : 'text', nowMs(), note)),
    nowMs,
    onFault,
  })
}
