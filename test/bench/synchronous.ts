import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/**
 * Makes folders synchronous (`chattr +S +D`): the kernel flushes writes, new files and renames in them before the calls
 * return. Returns false where the file system does not support this; then none of the folders is synchronous.
 */
export function makeSynchronous(folders: readonly string[]): boolean {
  const areMarked = run('chattr', ['+S', '+D', ...folders]) !== null && folders.every(isInEffect)
  if (!areMarked) run('chattr', ['-S', '-D', ...folders])
  return areMarked
}

/**
 * True when the marks work. A file created in the folder must be marked too, since the kernel checks the mark of each
 * file.
 */
function isInEffect(folder: string): boolean {
  const file = path.join(folder, 'probe')
  writeFileSync(file, '')
  const [ofFile, ofFolder] = [marksOf(file), marksOf(folder)]
  rmSync(file)
  return ofFile.includes('S') && ofFolder.includes('S') && ofFolder.includes('D')
}

/** Returns the letters before the path in the output of `lsattr`. */
const marksOf = (place: string): string => run('lsattr', ['-d', place])?.split(' ')[0] ?? ''

function run(program: string, words: readonly string[]): string | null {
  const { status, stdout } = spawnSync(program, words, { encoding: 'utf8' })
  return status === 0 ? stdout : null
}
