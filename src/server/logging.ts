import { closeSync, fstatSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'

/** Where lines about what happens go. Writing never fails anybody's request. */
export type Log = {
  readonly write: (line: string) => void
  readonly close: () => void
}

/** A log file is put aside at this size (contract 14.1), and begun anew. */
const mostFileBytes = 100 * 1024 * 1024
const backups = 10
/** What was put aside longer ago is removed: names of people are kept no longer than they are of use. */
const longestMs = 14 * 24 * 3_600_000

/** `stdout`, `stderr`, nothing for none, else a file that only its owner reads: names of people and of their files are in it. */
export function openLog(target: string, nowMs: () => number): Log {
  if (target === '') return { write: () => {}, close: () => {} }
  if (target === 'stdout' || target === 'stderr') {
    const stream = process[target]
    return { write: (line) => void stream.write(`${line}\n`), close: () => {} }
  }
  return openLogFile(target, nowMs)
}

function openLogFile(file: string, nowMs: () => number): Log {
  const open = (): number => openSync(file, 'a', 0o600)
  let descriptor = open()
  let sizeBytes = fstatSync(descriptor).size
  removeOld(file, nowMs())

  const rotate = (): void => {
    closeSync(descriptor)
    putAside(file)
    removeOld(file, nowMs())
    descriptor = open()
    sizeBytes = 0
  }

  return {
    write(line) {
      try {
        if (sizeBytes >= mostFileBytes) rotate()
        sizeBytes += writeSync(descriptor, `${line}\n`)
      } catch {
        // a full disk takes no line, and nobody is helped by failing for it
      }
    },
    close: () => closeSync(descriptor),
  }
}

/** `file` becomes `file.1`, that one `file.2`, and the oldest is gone. */
function putAside(file: string): void {
  for (let n = backups; n > 0; n -= 1) {
    try {
      renameSync(n === 1 ? file : `${file}.${n - 1}`, `${file}.${n}`)
    } catch {
      // there are not that many yet
    }
  }
}

/** Nothing is written to a file that was put aside: it is as old as its last line. */
function removeOld(file: string, atMs: number): void {
  for (let n = 1; n <= backups; n += 1) {
    try {
      const { mtimeMs } = statSync(`${file}.${n}`)
      if (atMs - mtimeMs > longestMs) rmSync(`${file}.${n}`)
    } catch {
      // it is not there, or not ours to remove
    }
  }
}
