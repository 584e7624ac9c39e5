import { appendFile, lstat, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bytesOf } from './calls/descriptors.ts'

/**
 * A list of the staged files, kept on disk, so that a start after a crash can remove them without walking the volume.
 */
export type Journal = {
  /** Records the path of a staged file. Must be called before the file is created. */
  add(path: string): Promise<void>
  /**
   * Returns the paths that stopped servers recorded. They are kept until `forgetOld` is called, because this start may
   * be killed as well.
   */
  takeOld(): Promise<readonly string[]>
  /** Must be called when the files that `takeOld` returned have been removed. */
  forgetOld(): Promise<void>
}

const fileName = 'staged'

/**
 * Size of new text in bytes (256 KiB) after which the journal file is rewritten with only the staged files that still
 * exist.
 */
const mostBytes = 256 * 1024

/**
 * Number of the most recent records that count as existing although no file is there yet: a file is recorded first and
 * created afterwards.
 */
const maxUncreated = 1024

/**
 * Creates the journal in a file of the server's own, with one JSON string per line. Without a folder, nothing is
 * recorded.
 */
export function createJournal(folder: string | undefined): Journal {
  if (folder === undefined) return { add: async () => {}, takeOld: async () => [], forgetOld: async () => {} }
  const file = join(folder, fileName)
  const enqueue = createQueue()
  let making: Promise<unknown> | null = null
  const made = async (): Promise<unknown> => (making ??= mkdir(folder, { recursive: true, mode: 0o700 }))
  let own: string[] = []
  let bytesLeft = mostBytes

  let pending: string[] = []
  let writing: Promise<void> | null = null

  /** Appends all records that came while the previous ones were being written, in one write. */
  async function writePending(): Promise<void> {
    writing = null
    const lines = pending
    pending = []
    await made()
    own.push(...lines)
    const text = lines.join('')
    bytesLeft -= text.length
    if (bytesLeft > 0) return appendFile(file, text, { mode: 0o600 })
    own = await stillExisting(own)
    bytesLeft = mostBytes
    return replace(file, own.join(''))
  }

  return {
    async add(path) {
      pending.push(`${JSON.stringify(path)}\n`)
      return (writing ??= enqueue(writePending))
    },
    takeOld: async () =>
      enqueue(async () => {
        const text = await readFile(file, 'utf8').catch(() => '')
        const mine = new Set(own)
        return text
          .split('\n')
          .filter((line) => !mine.has(`${line}\n`))
          .flatMap(pathOfLine)
      }),
    forgetOld: async () =>
      enqueue(async () => {
        await made()
        await replace(file, own.join(''))
      }),
  }
}

/** Creates a queue that runs one piece of work after the other, whether or not they succeed. */
function createQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let turn: Promise<unknown> = Promise.resolve()
  return async (work) => {
    const mine = turn.then(work)
    turn = mine.catch(() => {})
    return mine
  }
}

/** Replaces a file in one step, so that a crash leaves either the old or the new text. */
async function replace(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text, { mode: 0o600 })
  await rename(`${file}.new`, file)
}

/** Returns the lines whose files still exist. A long upload may take hours while thousands of others come and go. */
async function stillExisting(lines: readonly string[]): Promise<string[]> {
  const older = lines.slice(0, -maxUncreated)
  const areThere = await Promise.all(older.map(doesExist))
  return [...older.filter((_line, at) => areThere[at]), ...lines.slice(-maxUncreated)]
}

async function doesExist(line: string): Promise<boolean> {
  const [path = ''] = pathOfLine(line)
  return lstat(bytesOf(path)).then(
    () => true,
    () => false,
  )
}

/** Parses a line. A line that was cut off by a crash yields no path. */
function pathOfLine(line: string): string[] {
  try {
    const path: unknown = JSON.parse(line)
    return typeof path === 'string' ? [path] : []
  } catch {
    return []
  }
}
