import { decodePart } from '../decode-part.ts'
import type { ZipEntry } from '../zip/zip-directory.ts'

/**
 * The forms of a path in which files are looked for, from the exact one to the loosest: composed letters, because macOS
 * writes names with decomposed ones, percent signs decoded, and without regard to case.
 */
const forms: readonly ((path: string) => string)[] = [
  (path) => path,
  (path) => path.normalize('NFC'),
  (path) => decodePart(path).normalize('NFC'),
  (path) => decodePart(path).normalize('NFC').toLowerCase(),
]

/**
 * Creates the function that finds the file of a book at a path. Programs write the names of files in the archive and in the
 * list of the book's files in different forms, so the first form in which the two agree counts.
 */
export function createEntryFinder(entries: readonly ZipEntry[]): (path: string) => ZipEntry | undefined {
  const indexes = forms.map((form) => new Map(entries.map((entry) => [form(entry.name), entry])))
  return (path) => {
    for (const [index, form] of forms.entries()) {
      const entry = indexes[index]?.get(form(path))
      if (entry !== undefined) return entry
    }
    return undefined
  }
}
