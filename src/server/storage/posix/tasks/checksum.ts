import { createHash } from 'node:crypto'
import { readSync } from 'node:fs'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { AppError } from '../../../../shared/domain/failure.ts'
import type { Path } from '../../../../shared/domain/path.ts'
import type { ChecksumAlgorithm } from '../../port.ts'
import { disposable, openFlags, reopen } from '../calls/descriptors.ts'
import { kindOf } from '../calls/file-stat.ts'
import { resolvePath } from '../resolution/resolve-path.ts'
import type { TaskContext } from '../resolution/task-context.ts'

/**
 * Number of bytes (1 MiB) in one read. After each read, the thread serves other tasks and checks whether the request
 * was aborted.
 */
const readBytes = 1024 * 1024

export type ChecksumInput = { readonly path: Path; readonly algorithm: ChecksumAlgorithm }

/** Computes the digest of a file's bytes in lower-case hexadecimal. */
export async function checksum(context: TaskContext, { path, algorithm }: ChecksumInput): Promise<string> {
  using found = await resolvePath(context, path)
  const kind = kindOf(found.stat)
  if (kind === 'folder') throw new AppError('is-a-folder')
  if (kind !== 'file') throw new AppError('forbidden')
  using file = disposable(reopen(found.descriptor, openFlags.read))
  const hash = createHash(algorithm)
  const buffer = Buffer.allocUnsafe(Math.min(readBytes, found.stat.sizeBytes + 1))
  for (;;) {
    const length = readSync(file.descriptor, buffer, 0, buffer.length, null)
    if (length === 0) return hash.digest('hex')
    hash.update(buffer.subarray(0, length))
    await yieldToEventLoop()
    context.link.throwIfAborted()
  }
}
