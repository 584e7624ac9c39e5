import { maxCharacters } from './scrollback.ts'

/** Collects the lines of a running command. */
export type LineBatcher = {
  readonly add: (line: string) => void
  /** Hands on the lines that are waiting. */
  readonly flush: () => void
}

/**
 * Collects lines, and hands them on once per frame, because a program may print thousands of lines in a second. A hidden
 * tab draws no frames, so the lines are also handed on when they are as long as the output that the shell keeps.
 */
export function batchLines(onBatch: (lines: readonly string[]) => void): LineBatcher {
  let waiting: string[] = []
  let characters = 0
  let frame = 0
  const flush = (): void => {
    cancelAnimationFrame(frame)
    frame = 0
    if (waiting.length === 0) return
    const batch = waiting
    waiting = []
    characters = 0
    onBatch(batch)
  }
  return {
    flush,
    add: (line) => {
      waiting.push(line)
      characters += line.length + 1
      if (characters >= maxCharacters) flush()
      else if (frame === 0) frame = requestAnimationFrame(flush)
    },
  }
}
