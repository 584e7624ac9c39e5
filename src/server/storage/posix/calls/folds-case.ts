import { closeSync, lstatSync, opendirSync, openSync, rmSync } from 'node:fs'
import path from 'node:path'

/**
 * Maximum number of names that are read to find a name with a letter. If none of these names has a letter, a temporary
 * file is created for the test.
 */
const maxNames = 1000

/**
 * Returns true when a folder treats `a` and `A` as the same name. The function takes an existing name and looks it up
 * with upper and lower case swapped. If no name contains a letter, the function creates a temporary file named
 * `hiddenName` for the test. Returns false when the test is not possible.
 */
export function foldsCase(folder: string, hiddenName: string): boolean {
  try {
    const name = nameWithLetter(folder)
    if (name !== null) return isSameEntry(path.join(folder, name), path.join(folder, swapCase(name)))
    const probeFile = path.join(folder, hiddenName)
    closeSync(openSync(probeFile, 'wx', 0o600))
    try {
      return isSameEntry(probeFile, path.join(folder, swapCase(hiddenName)))
    } finally {
      rmSync(probeFile)
    }
  } catch {
    return false
  }
}

function nameWithLetter(folder: string): string | null {
  using entries = opendirSync(folder)
  for (let left = maxNames; left > 0; left -= 1) {
    const entry = entries.readSync()
    if (entry === null) return null
    if (/[a-z]/i.test(entry.name) && entry.name.isWellFormed() && !entry.name.includes('\ufffd'))
      return entry.name
  }
  return null
}

/** Swaps upper and lower case of the ASCII letters in a name. Every file system that folds case folds these letters. */
const swapCase = (name: string): string =>
  name.replaceAll(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )

/**
 * Returns true when both names lead to the same entry. On a case-sensitive file system, names that differ only in case
 * may belong to two entries.
 */
function isSameEntry(name: string, other: string): boolean {
  const [one, another] = [name, other].map((file) => lstatSync(file, { bigint: true, throwIfNoEntry: false }))
  return one !== undefined && one.ino === another?.ino && one.dev === another.dev
}
