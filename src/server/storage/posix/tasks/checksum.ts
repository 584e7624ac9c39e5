import { createHash } from 'node:crypto'
import { readSync } from 'node:fs'
import { setImmediate as breathe } from 'node:timers/promises'
import { AppError } from '../../../../shared/domain/failure.ts'
import type { Path } from '../../../../shared/domain/path.ts'
import type { ChecksumAlgorithm } from '../../port.ts'
import { hold, opening, reopen } from '../calls/descriptors.ts'
import { kindOf } from '../facts.ts'
import { find } from '../resolve.ts'
import type { Scene } from '../resolve.ts'

/** Read at once; between two of them the thread does other work, and sees whether the request still stands. */
const stepBytes = 1024 * 1024

export type Checksum = { readonly path: Path; readonly algorithm: ChecksumAlgorithm }

/** The digest of a file's bytes, in lower-case hex. */
export async function checksum(scene: Scene, { path, algorithm }: Checksum): Promise<string> {
  using found = await find(scene, path)
  const kind = kindOf(found.facts)
  if (kind === 'folder') throw new AppError('is-a-folder')
  if (kind !== 'file') throw new AppError('forbidden')
  using file = hold(reopen(found.descriptor, opening.read))
  const hash = createHash(algorithm)
  const buffer = Buffer.allocUnsafe(Math.min(stepBytes, found.facts.sizeBytes + 1))
  for (;;) {
    const length = readSync(file.descriptor, buffer, 0, buffer.length, null)
    if (length === 0) return hash.digest('hex')
    hash.update(buffer.subarray(0, length))
    await breathe()
    scene.link.check()
  }
}
