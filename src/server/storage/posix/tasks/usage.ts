import { statfsSync } from 'node:fs'
import type { Path } from '../../../../shared/domain/path.ts'
import type { Usage } from '../../port.ts'
import { findFolder } from '../resolve.ts'
import type { Scene } from '../resolve.ts'

/** What the file system that holds a folder says of itself. */
export async function usage(scene: Scene, { path }: { readonly path: Path }): Promise<Usage> {
  using found = await findFolder(scene, path)
  const { bsize, blocks, bfree } = statfsSync(`/proc/self/fd/${found.descriptor}`, { bigint: true })
  return { totalBytes: Number(blocks * bsize), usedBytes: Number((blocks - bfree) * bsize) }
}
