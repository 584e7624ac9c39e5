import type { Path } from '../../../shared/domain/path.ts'
import { isAborted } from '../../api/call.ts'
import { isShellOpen, shellHistory } from '../../state/panels/shell.ts'
import { createPersonalStore, userSignal } from '../../state/personal.ts'
import { useStore } from '../../state/store.ts'
import { batchLines } from './batch-lines.ts'
import { runCommand } from './run-command.ts'
import { withOutput, type ShellEntry } from './scrollback.ts'

export type ShellState = {
  readonly entries: readonly ShellEntry[]
  /** The start of the command that runs now, on the clock of `performance.now()`. Null when no command runs. */
  readonly startMs: number | null
  /** Runs a line. `clear` empties the output and `exit` hides the shell. An empty line is ignored (specification 5). */
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

/** Runs command lines one after the other in the open folder. */
export const useShell = (folder: Path): ShellState => ({
  entries: useStore(entries),
  startMs: useStore(running)?.startMs ?? null,
  submit: (line) => submit(folder, line.trim()),
  stop: () => running.get()?.controller.abort(),
})

function submit(folder: Path, line: string): void {
  if (line === '' || running.get() !== null) return
  shellHistory.set((now) => [...now.filter((one) => one !== line), line].slice(-maxHistory))
  if (line === 'clear') entries.set([])
  else if (line === 'exit') isShellOpen.set(false)
  else void run(folder, line)
}

async function run(folder: Path, line: string): Promise<void> {
  const controller = new AbortController()
  running.set({ controller, startMs: performance.now() })
  lastId += 1
  const id = lastId
  entries.set((now) => [...now, { id, folder, line, output: '', end: null }])
  const lines = batchLines((batch) => entries.set((now) => withOutput(now, id, batch)))
  const signal = AbortSignal.any([controller.signal, userSignal()])
  const end = await runCommand({ folder, line, onLine: lines.add, signal }).catch((thrown: unknown) => ({
    kind: isAborted(thrown) ? ('stopped' as const) : ('unreachable' as const),
  }))
  lines.flush()
  entries.set((now) => now.map((entry) => (entry.id === id ? { ...entry, end } : entry)))
  // Another user may have signed in meanwhile, and run a command.
  running.set((now) => (now?.controller === controller ? null : now))
}
