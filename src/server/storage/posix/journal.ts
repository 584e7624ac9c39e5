import { createSerialQueue } from '../../concurrency/serial-queue.ts'
import { diskPathOf, type DiskPath } from '../disk-path.ts'
import {
  appendFile,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { bytesOf } from './calls/descriptors.ts'
import { hasOwnerEnded, heartbeatMs, newJournalName } from './journal-owner.ts'

/**
 * A persistent list of the staged files. With this list, a server can remove the staged files of a server that has ended
 * without searching the whole volume. Each server has a journal of its own in the folder, and several servers may use the
 * folder at the same time.
 */
export type StagedFileJournal = {
  /** Records the path of a staged file. Must be called before the file is created. */
  add(path: DiskPath): Promise<void>
  /**
   * Takes over the journals of servers that have ended, and returns their paths. They stay recorded until `dropOld` is
   * called, because this process may be killed during the cleanup as well.
   */
  readOld(): Promise<readonly DiskPath[]>
  /** Drops the paths that `readOld` returned. Must be called after their files have been removed. */
  dropOld(): Promise<void>
  /** Leaves the recorded paths to the next server that looks for them. */
  close(): Promise<void>
}

/** Name of the journal that servers append to when they end. Earlier versions had this journal only. */
const endedName = 'staged'

/**
 * Number of bytes (256 KiB) that are appended to the journal before it is rewritten. The rewritten journal contains
 * only the staged files that still exist.
 */
const rewriteAfterBytes = 256 * 1024

/**
 * Number of the newest records that a rewrite keeps even when their files do not exist. A file is recorded before it is
 * created, so the files of new records may be created later.
 */
const maxUncreated = 1024

const noJournal: StagedFileJournal = {
  add: async () => {},
  readOld: async () => [],
  dropOld: async () => {},
  close: async () => {},
}

/**
 * Creates a journal that is stored in the given folder, as a file with one JSON string per line. Without a folder,
 * nothing is recorded.
 */
export function createJournal(folder: string | undefined): StagedFileJournal {
  if (folder === undefined) return noJournal
  const file = join(folder, newJournalName())
  const enqueue = createSerialQueue()
  let folderCreation: Promise<unknown> | null = null
  const ensureFolder = async (): Promise<unknown> =>
    (folderCreation ??= mkdir(folder, { recursive: true, mode: 0o700 }))
  let ownLines: string[] = []
  let takenOver: readonly string[] = []
  let bytesLeft = rewriteAfterBytes
  const heartbeat = setInterval(() => void utimes(file, new Date(), new Date()).catch(() => {}), heartbeatMs)
  heartbeat.unref()

  let pending: string[] = []
  let writing: Promise<void> | null = null

  /** Appends all records that arrived during the previous write. A single write appends them together. */
  async function writePending(): Promise<void> {
    writing = null
    const lines = pending
    pending = []
    await ensureFolder()
    ownLines.push(...lines)
    const text = lines.join('')
    bytesLeft -= text.length
    if (bytesLeft > 0) return appendFile(file, text, { mode: 0o600 })
    ownLines = await linesOfExistingFiles(ownLines)
    bytesLeft = rewriteAfterBytes
    return replace(file, ownLines.join(''))
  }

  return {
    async add(path) {
      pending.push(`${JSON.stringify(path)}\n`)
      return (writing ??= enqueue(writePending))
    },
    readOld: async () =>
      enqueue(async () => {
        takenOver = [...takenOver, ...(await takeOverEnded(folder))]
        // After a failed cleanup, another server may have taken over a journal that this one kept.
        const textOf = (name: string) => readFile(join(folder, name), 'utf8').catch(() => '')
        const texts = await Promise.all(takenOver.map(textOf))
        return texts.flatMap((text) => text.split('\n').flatMap(pathOfLine))
      }),
    dropOld: async () =>
      enqueue(async () => {
        await Promise.all(takenOver.map((name) => rm(join(folder, name), { force: true })))
        takenOver = []
      }),
    close: async () =>
      enqueue(async () => {
        clearInterval(heartbeat)
        const left = await linesOfExistingFiles(ownLines, 0)
        try {
          if (left.length > 0) await appendFile(join(folder, endedName), left.join(''), { mode: 0o600 })
          await rm(file, { force: true })
        } catch {
          // The disk is full. The journal stays, and is taken over when this process has ended.
        }
      }),
  }
}

/**
 * Renames the journals of servers that have ended to new names of this process, and returns these names. A journal
 * can be renamed once only, so that of several servers one takes it over, and a journal that somebody appends to
 * meanwhile loses no line.
 */
async function takeOverEnded(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  const taken = await Promise.all(
    names.map(async (name) => {
      try {
        const from = join(folder, name)
        if (name !== endedName && !hasOwnerEnded(name, (await stat(from)).mtimeMs, Date.now())) return []
        const taken = newJournalName()
        await rename(from, join(folder, taken))
        await utimes(join(folder, taken), new Date(), new Date())
        return [taken]
      } catch {
        // Another server has taken it over.
        return []
      }
    }),
  )
  return taken.flat()
}

/** Replaces a file in one step, so that after a crash the file has either its old or its new content. */
async function replace(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text, { mode: 0o600 })
  await rename(`${file}.new`, file)
}

/**
 * Returns the lines whose files still exist, and the newest `kept` lines. During one long upload, thousands of other staged
 * files may be created and removed, and their lines are no longer needed.
 */
async function linesOfExistingFiles(lines: readonly string[], kept = maxUncreated): Promise<string[]> {
  const older = lines.slice(0, Math.max(0, lines.length - kept))
  const exists = await Promise.all(older.map(doesExist))
  return [...older.filter((_line, index) => exists[index]), ...lines.slice(older.length)]
}

async function doesExist(line: string): Promise<boolean> {
  const [path = ''] = pathOfLine(line)
  return lstat(bytesOf(path)).then(
    () => true,
    () => false,
  )
}

/** Parses a line. Returns an empty array for a line that a crash has cut off. */
function pathOfLine(line: string): DiskPath[] {
  try {
    const path: unknown = JSON.parse(line)
    return typeof path === 'string' ? [diskPathOf(path)] : []
  } catch {
    return []
  }
}
