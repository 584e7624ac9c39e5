import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/**
 * Has the kernel flush whatever programs write in these folders, and what they make and rename in them, before their calls return
 * (`chattr +S +D`). False where the file system knows no such folders; then none of them is one.
 */
export function makeSynchronous(folders: readonly string[]): boolean {
  const areMarked = run('chattr', ['+S', '+D', ...folders]) !== null && folders.every(isInEffect)
  if (!areMarked) run('chattr', ['-S', '-D', ...folders])
  return areMarked
}

/** What is made in the folder has to be marked as well: the mark is asked of each file. */
function isInEffect(folder: string): boolean {
  const file = path.join(folder, 'probe')
  writeFileSync(file, '')
  const [ofFile, ofFolder] = [marksOf(file), marksOf(folder)]
  rmSync(file)
  return ofFile.includes('S') && ofFolder.includes('S') && ofFolder.includes('D')
}

/** The letters before the path in a row of `lsattr`. */
const marksOf = (place: string): string => run('lsattr', ['-d', place])?.split(' ')[0] ?? ''

function run(program: string, words: readonly string[]): string | null {
  const { status, stdout } = spawnSync(program, words, { encoding: 'utf8' })
  return status === 0 ? stdout : null
}
