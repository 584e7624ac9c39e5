import { useEffect, useRef, useState } from 'react'
import type { Path } from '../../../shared/domain/path.ts'
import { isAborted } from '../../api/call.ts'
import { isShellOpen, shellHistory } from '../../state/panels/shell.ts'
import { runCommand } from './run-command.ts'
import { withOutput, type ShellEntry } from './scrollback.ts'

export type ShellState = {
  readonly entries: readonly ShellEntry[]
  readonly isRunning: boolean
  /** Runs a line. `clear` empties the output and `exit` hides the shell. An empty line is ignored (specification 5). */
  readonly submit: (line: string) => void
  readonly stop: () => void
}

/** The maximum number of lines that the arrow keys recall. */
const maxHistory = 200

/** Runs command lines one after the other in the open folder. A command ends when the shell is hidden. */
export function useShell(folder: Path): ShellState {
  const [entries, setEntries] = useState<readonly ShellEntry[]>([])
  const [running, setRunning] = useState<AbortController | null>(null)
  const lastId = useRef(0)
  const current = useRef<AbortController | null>(null)
  useEffect(() => () => current.current?.abort(), [])

  const run = async (line: string): Promise<void> => {
    const controller = new AbortController()
    current.current = controller
    setRunning(controller)
    lastId.current += 1
    const id = lastId.current
    setEntries((now) => [...now, { id, folder, line, output: '', end: null }])
    const lines = batchLines((batch) => setEntries((now) => withOutput(now, id, batch)))
    const end = await runCommand({ folder, line, onLine: lines.add, signal: controller.signal }).catch(
      (thrown: unknown) => ({ kind: isAborted(thrown) ? ('stopped' as const) : ('unreachable' as const) }),
    )
    lines.flush()
    setEntries((now) => now.map((entry) => (entry.id === id ? { ...entry, end } : entry)))
    setRunning(null)
  }

  return {
    entries,
    isRunning: running !== null,
    submit: (typed) => {
      const line = typed.trim()
      if (line === '' || running !== null) return
      shellHistory.set((now) => [...now.filter((one) => one !== line), line].slice(-maxHistory))
      if (line === 'clear') setEntries([])
      else if (line === 'exit') isShellOpen.set(false)
      else void run(line)
    },
    stop: () => running?.abort(),
  }
}

/** Collects lines, and hands them on once per frame, because a program may print thousands of lines in a second. */
function batchLines(onBatch: (lines: readonly string[]) => void) {
  let waiting: string[] = []
  let frame = 0
  const flush = (): void => {
    cancelAnimationFrame(frame)
    frame = 0
    if (waiting.length === 0) return
    const batch = waiting
    waiting = []
    onBatch(batch)
  }
  return {
    flush,
    add: (line: string): void => {
      waiting.push(line)
      if (frame === 0) frame = requestAnimationFrame(flush)
    },
  }
}
