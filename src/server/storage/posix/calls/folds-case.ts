import { closeSync, lstatSync, opendirSync, openSync, rmSync } from 'node:fs'
import path from 'node:path'

/** So many names of a folder are looked at before one is made. */
const mostNames = 1000

/**
 * Whether a folder takes `a` and `A` for one name. A name that is there is asked for in the other case; only where none has a letter is
 * a hidden one made for it. False where that cannot be told.
 */
export function foldsCase(folder: string, hiddenName: string): boolean {
  try {
    const name = nameWithLetter(folder)
    if (name !== null) return isOne(path.join(folder, name), path.join(folder, inOtherCase(name)))
    const made = path.join(folder, hiddenName)
    closeSync(openSync(made, 'wx', 0o600))
    try {
      return isOne(made, path.join(folder, inOtherCase(hiddenName)))
    } finally {
      rmSync(made)
    }
  } catch {
    return false
  }
}

function nameWithLetter(folder: string): string | null {
  using entries = opendirSync(folder)
  for (let left = mostNames; left > 0; left -= 1) {
    const entry = entries.readSync()
    if (entry === null) return null
    if (/[a-z]/i.test(entry.name) && entry.name.isWellFormed() && !entry.name.includes('\ufffd'))
      return entry.name
  }
  return null
}

/** Of the letters that every file system folds which folds any. */
const inOtherCase = (name: string): string =>
  name.replaceAll(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )

/** Two names of one entry; where none is folded each may be an entry of its own. */
function isOne(name: string, other: string): boolean {
  const [one, another] = [name, other].map((file) => lstatSync(file, { bigint: true, throwIfNoEntry: false }))
  return one !== undefined && one.ino === another?.ino && one.dev === another.dev
}
