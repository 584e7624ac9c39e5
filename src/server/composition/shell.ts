import { hasDenyingRule } from '../access/command-rights.ts'
import type { CallerFactory } from '../access/caller-factory.ts'
import type { Config } from '../config/serving-options.ts'
import type { ProcessStarter } from '../programs/process-starter.ts'
import { findBubblewrap } from '../programs/find-bubblewrap.ts'
import type { ServerRecords } from '../records/port.ts'
import { commandLimits } from '../shell/command-limits.ts'
import { commandLogLine } from '../shell/command-log.ts'
import { createShell, type ShellModule } from '../shell/routes.ts'
import { createKeyedLimiter } from '../concurrency/keyed-limiter.ts'
import type { AuditModule } from './audit.ts'
import { createCommandRunner } from './command-runner.ts'
import { limits } from '../../shared/domain/limits.ts'
import type { ServerRuntime } from './server-runtime.ts'

/** The dependencies of the command sockets. */
type ShellModuleDependencies = {
  readonly startProcess: ProcessStarter
  readonly config: Config
  readonly records: ServerRecords
  readonly callerFactory: CallerFactory
  readonly runtime: Pick<ServerRuntime, 'nowMs' | 'log' | 'environment' | 'commandLimits'>
  readonly audit: Pick<AuditModule, 'onCommand'>
  readonly onFault: (error: unknown) => void
}

export type CommandAvailability = {
  /** Returns the reason why no user may run commands on this server, or null when commands are enabled. */
  readonly commandsDisabledReason: () => Promise<string | null>
}

/**
 * Creates the sockets through which users run commands, with access to the users' permissions, the sandbox and the
 * command log.
 */
export function composeShell({
  startProcess,
  config,
  records,
  callerFactory,
  runtime,
  audit,
  onFault,
}: ShellModuleDependencies): ShellModule & CommandAvailability {
  const { nowMs, environment = {} } = runtime
  const runner = createCommandRunner({
    start: startProcess,
    config,
    nowMs,
    environment,
    findSandbox: findBubblewrap,
  })
  const shell = createShell({
    async accessOf(userId) {
      const user = await records.users.find(userId)
      if (user === null) return null
      const { rules } = await records.settings.get()
      const hasDenials = hasDenyingRule(rules, user)
      return { user, storage: await callerFactory.storageOf(user), hasDenials }
    },
    ...runner,
    limiter: createKeyedLimiter({ maxConcurrent: limits.concurrentCommands }),
    limits: { ...commandLimits, ...runtime.commandLimits },
    logCommand(entry) {
      runtime.log(commandLogLine(config.logFormat === 'json' ? 'json' : 'text', nowMs(), entry))
      audit.onCommand(entry)
    },
    nowMs,
    onFault,
  })
  return { ...shell, commandsDisabledReason: runner.disabledReason }
}
