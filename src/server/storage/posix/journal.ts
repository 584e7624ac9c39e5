import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Knows of what is staged, so that a start after a crash can remove it without walking the volume. */
export type Journal = {
  /** Notes a staged path before it can be needed. */
  add(path: string): Promise<void>
  /** The paths that a stopped server noted; they are forgotten here. */
  takeOld(): Promise<readonly string[]>
}

const fileName = 'staged'

/** After so much text the file starts anew, with what is still under way. */
const mostBytes = 256 * 1024

/** One JSON text a line in a file of the server's own. Without a folder nothing is remembered. */
export function createJournal(folder: string | undefined): Journal {
  if (folder === undefined) return { add: async () => {}, takeOld: async () => [] }
  const file = join(folder, fileName)
  let turn: Promise<unknown> = Promise.resolve()
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    const mine = turn.then(work)
    turn = mine.catch(() => {})
    return mine
  }
  let making: Promise<unknown> | null = null
  const made = async (): Promise<unknown> => (making ??= mkdir(folder, { recursive: true, mode: 0o700 }))
  const recent: string[] = []
  let bytes = 0

  async function note(path: string): Promise<void> {
    await made()
    const line = `${JSON.stringify(path)}\n`
    recent.push(line)
    if (recent.length > 1024) recent.shift()
    bytes += line.length
    if (bytes < mostBytes) return appendFile(file, line, { mode: 0o600 })
    bytes = recent.reduce((sum, each) => sum + each.length, 0)
    return writeFile(file, recent.join(''), { mode: 0o600 })
  }

  return {
    add: async (path) => inTurn(async () => note(path)),
    takeOld: async () =>
      inTurn(async () => {
        await made()
        const text = await readFile(file, 'utf8').catch(() => '')
        await writeFile(file, recent.join(''), { mode: 0o600 })
        return text
          .split('\n')
          .flatMap(pathOfLine)
          .filter((path) => !recent.includes(`${JSON.stringify(path)}\n`))
      }),
  }
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
