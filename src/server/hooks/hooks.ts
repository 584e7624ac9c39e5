import { hookEvents } from '../../shared/contract/hooks/hook-events.ts'
import { joinPaths, type Path } from '../../shared/domain/path.ts'
import type { Bracket, Bracketing, Intent } from '../changes/change.ts'
import type { Settings } from '../records/port.ts'
import type { HookValues } from './hook-command.ts'
import type { HookRun, HookRunner } from './run-hooks.ts'

export type HooksNeeds = {
  readonly runner: HookRunner
  /** As they are now. */
  readonly settings: () => Promise<Pick<Settings, 'commands' | 'shell'>>
  /** Where an entry of the volume is on disk; null where no program could be told. */
  readonly pathOnDisk: (path: Path) => string | null
}

/** The name of what a call is about to do; null for what is no event. */
export const eventOf = ({ call, kind }: Pick<Intent, 'call' | 'kind'>): string | null =>
  hookEvents.find(({ calls, changes }) => calls.includes(call) && changes.includes(kind))?.name ?? null

/** What administrators have run before and after changes, as the settings say when one is about to be made (contract 12.2). */
export const createHooks =
  ({ runner, settings, pathOnDisk }: HooksNeeds): Bracketing =>
  async (intent) => {
    const event = eventOf(intent)
    if (event === null) return nothing
    const { commands, shell } = await settings()
    const values = valuesOf(intent, pathOnDisk)
    const runOf = (trigger: string): Run | null => {
      const lines = (Object.hasOwn(commands, trigger) ? commands[trigger] : undefined) ?? []
      if (lines.every((line) => line.trim() === '')) return null
      const told = values === null ? null : { ...values, TRIGGER: trigger }
      return (signal) => runner.run({ trigger, lines, shell, signal, values: told })
    }
    return { before: runOf(`before_${event}`), after: forgiving(runOf(`after_${event}`)) }
  }

const nothing: Bracket = { before: null, after: null }

type Run = (signal: HookRun['signal']) => Promise<void>

/** The change is made: what fails now is in the log, and nowhere else. Its caller's leaving ends nothing. */
const forgiving = (run: Run | null): Bracket['after'] =>
  run === null ? null : () => run(undefined).catch(() => {})

/** The user's root stands for a destination where there is none, as in File Browser. */
function valuesOf(intent: Intent, onDisk: HooksNeeds['pathOnDisk']): Omit<HookValues, 'TRIGGER'> | null {
  const { scope, path, to, username, writtenScope } = intent
  const at = joinPaths(scope, path)
  const destination = to === undefined ? scope : joinPaths(scope, to)
  if (at === null || destination === null) return null
  const [FILE, DESTINATION] = [onDisk(at), onDisk(destination)]
  if (FILE === null || DESTINATION === null) return null
  return { FILE, DESTINATION, SCOPE: writtenScope, USERNAME: username }
}
