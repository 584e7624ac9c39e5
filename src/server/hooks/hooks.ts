import { hookEvents } from '../../shared/contract/hook-events.ts'
import { joinPaths, type Path } from '../../shared/domain/path.ts'
import type { ChangeHooks, ChangeHookFinder, ChangeIntent } from '../changes/change.ts'
import type { Settings } from '../../shared/contract/setting-fields.ts'
import type { HookValues } from './hook-command.ts'
import type { HookRequest, HookRunner } from './hook-runner.ts'

export type HooksDependencies = {
  readonly runner: HookRunner
  /** Reads the current settings. */
  readonly settings: () => Promise<Pick<Settings, 'commands' | 'shell'>>
  /**
   * Returns the path of an entry on disk. Null when the path cannot be passed to a program, because it is not valid
   * UTF-8.
   */
  readonly pathOnDisk: (path: Path) => string | null
}

/**
 * Returns the name of the event that a change is about to cause, or null when it causes no event. A change of a
 * job or a command causes the last event that lists its kind: `rename` for a moved entry, and `upload` for a written file.
 */
export const eventOf = ({ cause, kind }: Pick<ChangeIntent, 'cause' | 'kind'>): string | null =>
  hookEvents.findLast(
    ({ calls, changes }) => changes.includes(kind) && (cause.kind !== 'call' || calls.includes(cause.call)),
  )?.name ?? null

/**
 * Creates the function that returns the hooks of a change: the programs that the administrator has set to run before
 * and after it. The settings are read before each change (contract 12.2).
 */
export const createHooks =
  ({ runner, settings, pathOnDisk }: HooksDependencies): ChangeHookFinder =>
  async (intent) => {
    const event = eventOf(intent)
    if (event === null) return noHooks
    const { commands, shell } = await settings()
    const values = valuesOf(intent, pathOnDisk)
    const path = joinPaths(intent.scope, intent.path) ?? intent.path
    const runOf = (trigger: string): HookExecutor | null => {
      const lines = (Object.hasOwn(commands, trigger) ? commands[trigger] : undefined) ?? []
      if (lines.every((line) => line.trim() === '')) return null
      const hookValues = values === null ? null : { ...values, TRIGGER: trigger }
      return (signal) => runner.run({ trigger, lines, shell, signal, path, values: hookValues })
    }
    return { before: runOf(`before_${event}`), after: ignoringFailure(runOf(`after_${event}`)) }
  }

const noHooks: ChangeHooks = { before: null, after: null }

type HookExecutor = (signal: HookRequest['signal']) => Promise<void>

/**
 * Runs hooks after a change. A failure is only logged, because the change has already been made. The hooks continue
 * when the client disconnects.
 */
const ignoringFailure = (run: HookExecutor | null): ChangeHooks['after'] =>
  run === null ? null : () => run(undefined).catch(() => {})

/**
 * Returns the values that the hooks of a change get, or null when a path cannot be passed to a program. A change
 * without a destination gets the user's scope as its destination, as in File Browser.
 */
function valuesOf(
  intent: ChangeIntent,
  onDisk: HooksDependencies['pathOnDisk'],
): Omit<HookValues, 'TRIGGER'> | null {
  const { scope, path, to, username, storedScope } = intent
  const source = joinPaths(scope, path)
  const destination = to === undefined ? scope : joinPaths(scope, to)
  if (source === null || destination === null) return null
  const [FILE, DESTINATION] = [onDisk(source), onDisk(destination)]
  if (FILE === null || DESTINATION === null) return null
  return { FILE, DESTINATION, SCOPE: storedScope, USERNAME: username }
}
