import { appendFile, lstat, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bytesOf } from './calls/descriptors.ts'

/** Knows of what is staged, so that a start after a crash can remove it without walking the volume. */
export type Journal = {
  /** Notes a staged path before it can be needed. */
  add(path: string): Promise<void>
  /** The paths that stopped servers noted. They are kept in mind until they are forgotten: a start may be killed, too. */
  takeOld(): Promise<readonly string[]>
  /** To be called when what `takeOld` gave has been removed. */
  forgetOld(): Promise<void>
}

const fileName = 'staged'

/** After so much new text the file starts anew, with what is still under way. */
const mostBytes = 256 * 1024

/** So many of the last notes count as under way though nothing is there yet: one notes first and stages then. */
const mostUnborn = 1024

/** One JSON text a line in a file of the server's own. Without a folder nothing is remembered. */
export function createJournal(folder: string | undefined): Journal {
  if (folder === undefined) return { add: async () => {}, takeOld: async () => [], forgetOld: async () => {} }
  const file = join(folder, fileName)
  const inTurn = createTurn()
  let making: Promise<unknown> | null = null
  const made = async (): Promise<unknown> => (making ??= mkdir(folder, { recursive: true, mode: 0o700 }))
  let own: string[] = []
  let roomBytes = mostBytes

  let waiting: string[] = []
  let noting: Promise<void> | null = null

  /** All that have come while the ones before were written, in one step. */
  async function noteWaiting(): Promise<void> {
    noting = null
    const lines = waiting
    waiting = []
    await made()
    own.push(...lines)
    const text = lines.join('')
    roomBytes -= text.length
    if (roomBytes > 0) return appendFile(file, text, { mode: 0o600 })
    own = await stillUnderWay(own)
    roomBytes = mostBytes
    return replace(file, own.join(''))
  }

  return {
    async add(path) {
      waiting.push(`${JSON.stringify(path)}\n`)
      return (noting ??= inTurn(noteWaiting))
    },
    takeOld: async () =>
      inTurn(async () => {
        const text = await readFile(file, 'utf8').catch(() => '')
        const mine = new Set(own)
        return text
          .split('\n')
          .filter((line) => !mine.has(`${line}\n`))
          .flatMap(pathOfLine)
      }),
    forgetOld: async () =>
      inTurn(async () => {
        await made()
        await replace(file, own.join(''))
      }),
  }
}

/** One piece of work after the other, whether or not they succeed. */
function createTurn(): <T>(work: () => Promise<T>) => Promise<T> {
  let turn: Promise<unknown> = Promise.resolve()
  return async (work) => {
    const mine = turn.then(work)
    turn = mine.catch(() => {})
    return mine
  }
}

/** In one step: a crash in between leaves the old text or the new one. */
async function replace(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text, { mode: 0o600 })
  await rename(`${file}.new`, file)
}

/** An upload may take hours while thousands of others come and go. */
async function stillUnderWay(lines: readonly string[]): Promise<string[]> {
  const older = lines.slice(0, -mostUnborn)
  const areThere = await Promise.all(older.map(isThere))
  return [...older.filter((_line, at) => areThere[at]), ...lines.slice(-mostUnborn)]
}

async function isThere(line: string): Promise<boolean> {
  const [path = ''] = pathOfLine(line)
  return lstat(bytesOf(path)).then(
    () => true,
    () => false,
  )
}

/** A line that was cut off by a crash is no path. */
function pathOfLine(line: string): string[] {
  try {
    const path: unknown = JSON.parse(line)
    return typeof path === 'string' ? [path] : []
  } catch {
    return []
  }
}
