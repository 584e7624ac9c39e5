import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/**
 * Makes folders synchronous (`chattr +S +D`): the kernel flushes writes, new files and renames in these folders before
 * the system calls return. When the file system does not support this, no folder is changed, and the result is false.
 */
export function makeSynchronous(folders: readonly string[]): boolean {
  const isSynchronous = run('chattr', ['+S', '+D', ...folders]) !== null && folders.every(isInEffect)
  if (!isSynchronous) run('chattr', ['-S', '-D', ...folders])
  return isSynchronous
}

/**
 * True when the attributes of a folder are effective. A new file in the folder must inherit them, because the kernel
 * checks the attributes of each file.
 */
function isInEffect(folder: string): boolean {
  const file = path.join(folder, 'probe')
  writeFileSync(file, '')
  const [ofFile, ofFolder] = [attributesOf(file), attributesOf(folder)]
  rmSync(file)
  return ofFile.includes('S') && ofFolder.includes('S') && ofFolder.includes('D')
}

/** Returns the attribute letters that `lsattr` prints before the path. */
const attributesOf = (file: string): string => run('lsattr', ['-d', file])?.split(' ')[0] ?? ''

function run(program: string, args: readonly string[]): string | null {
  const { status, stdout } = spawnSync(program, args, { encoding: 'utf8' })
  return status === 0 ? stdout : null
}
