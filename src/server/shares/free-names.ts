import { splitName, withNumber } from '../../shared/domain/names.ts'

/**
 * The number of numbered names that are tried. After them a random name is tried, so that a guest who sends one name
 * thousands of times does not make the server look up thousands of names for each file.
 */
const numberedNames = 20
/** The number of random names that are tried. One of them is practically always free. */
const randomNames = 3

/** Yields the names under which a file may be stored: `a.txt`, `a (2).txt`, up to 20, then names with a random text. */
export function* freeNameCandidates(name: string, randomText: () => string): Generator<string, void> {
  yield name
  for (let number = 2; number <= numberedNames; number += 1) yield withSuffix(name, ` (${number})`)
  for (let tries = 0; tries < randomNames; tries += 1) yield withSuffix(name, ` (${randomText()})`)
}

/** Inserts a suffix before the extension. */
function withSuffix(name: string, suffix: string): string {
  const { stem, extension } = splitName(name)
  return withNumber(stem, suffix, extension)
}

/** The names that are being written to at the moment, so that concurrent uploads of one name get different names. */
export type NamesInUse = {
  /** Runs a task unless the name is in use in the folder, and returns null otherwise. */
  run<T>(folder: string, name: string, task: () => Promise<T>): Promise<T | null>
}

/** Creates an empty set of names. Names that differ only in case are the same, because some disks treat them so. */
export function createNamesInUse(): NamesInUse {
  const keys = new Set<string>()
  return {
    async run(folder, name, task) {
      const key = `${folder}/${name.normalize().toLowerCase()}`
      if (keys.has(key)) return null
      keys.add(key)
      try {
        return await task()
      } finally {
        keys.delete(key)
      }
    },
  }
}
