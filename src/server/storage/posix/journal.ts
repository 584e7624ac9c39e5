import { appendFile, lstat, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bytesOf } from './calls/descriptors.ts'

/**
 * A persistent list of the staged files. With this list, a server that starts after a crash can remove the staged files
 * without searching the whole volume.
 */
export type StagedFileJournal = {
  /** Records the path of a staged file. Must be called before the file is created. */
  add(path: string): Promise<void>
  /**
   * Returns the paths that earlier server processes recorded. They stay in the journal until `dropOld` is called,
   * because this process may be killed during the cleanup as well.
   */
  readOld(): Promise<readonly string[]>
  /** Drops the paths that `readOld` returned. Must be called after their files have been removed. */
  dropOld(): Promise<void>
}

/** Name of the journal file in its folder. */
const fileName = 'staged'

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

/**
 * Creates a journal that is stored in the given folder, as a file with one JSON string per line. Without a folder,
 * nothing is recorded.
 */
export function createJournal(folder: string | undefined): StagedFileJournal {
  if (folder === undefined) return { add: async () => {}, readOld: async () => [], dropOld: async () => {} }
  const file = join(folder, fileName)
  const enqueue = createQueue()
  let folderCreation: Promise<unknown> | null = null
  const ensureFolder = async (): Promise<unknown> =>
    (folderCreation ??= mkdir(folder, { recursive: true, mode: 0o700 }))
  let ownLines: string[] = []
  let bytesLeft = rewriteAfterBytes

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
        const text = await readFile(file, 'utf8').catch(() => '')
        const ownLineSet = new Set(ownLines)
        return text
          .split('\n')
          .filter((line) => !ownLineSet.has(`${line}\n`))
          .flatMap(pathOfLine)
      }),
    dropOld: async () =>
      enqueue(async () => {
        await ensureFolder()
        await replace(file, ownLines.join(''))
      }),
  }
}

/** Creates a queue that runs asynchronous functions one after the other, even after one of them has failed. */
function createQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let lastWork: Promise<unknown> = Promise.resolve()
  return async (work) => {
    const result = lastWork.then(work)
    lastWork = result.catch(() => {})
    return result
  }
}

/** Replaces a file in one step, so that after a crash the file has either its old or its new content. */
async function replace(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text, { mode: 0o600 })
  await rename(`${file}.new`, file)
}

/**
 * Returns the lines whose files still exist, and the newest lines. During one long upload, thousands of other staged
 * files may be created and removed, and their lines are no longer needed.
 */
async function linesOfExistingFiles(lines: readonly string[]): Promise<string[]> {
  const older = lines.slice(0, -maxUncreated)
  const exists = await Promise.all(older.map(doesExist))
  return [...older.filter((_line, index) => exists[index]), ...lines.slice(-maxUncreated)]
}

async function doesExist(line: string): Promise<boolean> {
  const [path = ''] = pathOfLine(line)
  return lstat(bytesOf(path)).then(
    () => true,
    () => false,
  )
}

/** Parses a line. Returns an empty array for a line that a crash has cut off. */
function pathOfLine(line: string): string[] {
  try {
    const path: unknown = JSON.parse(line)
    return typeof path === 'string' ? [path] : []
  } catch {
    return []
  }
}
