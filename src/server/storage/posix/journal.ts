import { appendFile, lstat, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bytesOf } from './calls/descriptors.ts'

/**
 * A list of the staged files on disk, which lets a server that starts after a crash remove these files without walking
 * the volume.
 */
export type Journal = {
  /** Records the path of a staged file. Must be called before the file is created. */
  add(path: string): Promise<void>
  /**
   * Returns the paths that earlier server processes recorded. They stay in the journal until `forgetOld` is called,
   * because this process may be killed during the cleanup as well.
   */
  takeOld(): Promise<readonly string[]>
  /** Drops the paths that `takeOld` returned. Must be called after their files have been removed. */
  forgetOld(): Promise<void>
}

const fileName = 'staged'

/**
 * Number of bytes (256 KiB) appended to the journal file after which it is rewritten with only the staged files that
 * still exist.
 */
const mostBytes = 256 * 1024

/**
 * Number of the most recent records that a rewrite keeps even when their files do not exist: a file is recorded first
 * and created afterwards.
 */
const maxUncreated = 1024

/**
 * Creates a journal that is stored in the given folder, as a file with one JSON string per line. Without a folder,
 * nothing is recorded.
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

  /** Appends all records that arrived during the previous write, in one write. */
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

/** Creates a queue that runs asynchronous functions one after the other, even after one of them has failed. */
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

/**
 * Returns the lines whose files still exist. During one long upload, thousands of other staged files may be created and
 * removed.
 */
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
