import type { Path } from '../../../shared/domain/path.ts'
import { isAborted } from '../../api/call.ts'
import { isShellOpen, shellHistory } from '../../state/panels/shell.ts'
import { createPersonalStore, userSignal } from '../../state/personal.ts'
import { useStore } from '../../state/store.ts'
import { batchLines } from './batch-lines.ts'
import { builtInOf, type BuiltInCall } from './built-ins.ts'
import { runCommand } from './run-command.ts'
import { withOutput, type ShellEntry } from './scrollback.ts'
import { enterFolder, previousFolder, useWorkingFolder } from './working-folder.ts'

export type ShellState = {
  /** The folder in which the next command runs. */
  readonly folder: Path
  readonly entries: readonly ShellEntry[]
  /** The start of the command that runs now, on the clock of `performance.now()`. Null when no command runs. */
  readonly startMs: number | null
  /**
   * Runs a line. `clear` empties the output, `exit` hides the shell, and `cd`, `help` and `pwd` are answered by the page. An empty
   * line is ignored (specification 5).
   */
  readonly submit: (line: string) => void
  readonly stop: () => void
}

type RunningShellCommand = { readonly controller: AbortController; readonly startMs: number }

/** The maximum number of lines that the arrow keys recall. */
const maxHistory = 200

/**
 * The commands with their output, and the command that runs now. They are kept outside of the component, so that a
 * command goes on while the shell is hidden, or while the width of the page changes the shell into a dialog.
 */
const entries = createPersonalStore<readonly ShellEntry[]>([])
const running = createPersonalStore<RunningShellCommand | null>(null)
let lastId = 0

/** The folder that the page shows, and the folder of the shell. */
type ShellPlace = { readonly pageFolder: Path; readonly folder: Path }

/** Runs command lines one after the other, in the open folder or in the one into which `cd` has gone. */
export function useShell(pageFolder: Path): ShellState {
  const folder = useWorkingFolder(pageFolder)
  return {
    folder,
    entries: useStore(entries),
    startMs: useStore(running)?.startMs ?? null,
    submit: (line) => submit({ pageFolder, folder }, line.trim()),
    stop: () => running.get()?.controller.abort(),
  }
}

function submit(place: ShellPlace, line: string): void {
  if (line === '' || running.get() !== null) return
  shellHistory.set((now) => [...now.filter((one) => one !== line), line].slice(-maxHistory))
  if (line === 'clear') entries.set([])
  else if (line === 'exit') isShellOpen.set(false)
  else void run(place, line)
}

async function run(place: ShellPlace, line: string): Promise<void> {
  const { folder } = place
  const controller = new AbortController()
  running.set({ controller, startMs: performance.now() })
  lastId += 1
  const id = lastId
  entries.set((now) => [...now, { id, folder, line, output: '', end: null }])
  const lines = batchLines((batch) => entries.set((now) => withOutput(now, id, batch)))
  const signal = AbortSignal.any([controller.signal, userSignal()])
  const builtIn = builtInOf(line)
  const work =
    builtIn === null
      ? runCommand({ folder, line, onLine: lines.add, signal })
      : runBuiltIn(builtIn, place, { onLine: lines.add, signal })
  const end = await work.catch((thrown: unknown) => ({
    kind: isAborted(thrown) ? ('stopped' as const) : ('unreachable' as const),
  }))
  lines.flush()
  entries.set((now) => now.map((entry) => (entry.id === id ? { ...entry, end } : entry)))
  // Another user may have signed in meanwhile, and run a command.
  running.set((now) => (now?.controller === controller ? null : now))
}

/** Runs a command of the page, and goes into the folder that it names. */
async function runBuiltIn(
  builtIn: BuiltInCall,
  { pageFolder, folder }: ShellPlace,
  { onLine, signal }: { readonly onLine: (line: string) => void; readonly signal: AbortSignal },
): Promise<{ readonly kind: 'answered'; readonly isFailure: boolean }> {
  const answer = await builtIn({ folder, previous: previousFolder(), signal })
  if (answer.text !== '') for (const part of answer.text.split('\n')) onLine(part)
  if (answer.folder !== undefined) enterFolder(answer.folder, { from: pageFolder, previous: folder })
  return { kind: 'answered', isFailure: answer.isFailure }
}
