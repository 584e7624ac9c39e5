import { readSync } from 'node:fs'
import type { Entry } from '../../../../shared/domain/entry.ts'
import { AppError } from '../../../../shared/domain/failure.ts'
import { nameOf, root } from '../../../../shared/domain/path.ts'
import type { Path } from '../../../../shared/domain/path.ts'
import type { LocalFolder } from '../../port.ts'
import { smallFileBytes } from '../../port.ts'
import { hold, mountIdOf, opening, realPathOf, reopen } from '../calls/descriptors.ts'
import { entryOf, kindOf, linkEntryOf } from '../facts.ts'
import type { Found, Scene } from '../resolve.ts'
import { find, findEntry, findFolder, findPlain, findTarget } from '../resolve.ts'

/** What stands at a path; of a link also what it leads to. */
export async function stat(scene: Scene, { path }: { readonly path: Path }): Promise<Entry> {
  using found = await findEntry(scene, path)
  const name = nameOf(path)
  if (kindOf(found.facts) !== 'link') return entryOf(name, found.facts)
  return linkEntryOf(name, found.facts, await findTarget(scene, path))
}

/** An open file; of a small one its bytes instead, and nothing is open. */
export type Opened = { readonly entry: Entry } & (
  | { readonly descriptor: number }
  | { readonly bytes: Uint8Array }
)

/** Opens a file for reading, at once where no link is on the way. */
export function openFile(scene: Scene, { path }: { readonly path: Path }): Opened | Promise<Opened> {
  const found = findPlain(scene, path)
  if (found !== null) return openFound(scene, path, found)
  return find(scene, path).then((linked) => openFound(scene, path, linked))
}

/** Only what is a file is opened, so that no pipe wakes its writer and no device is touched. */
function openFound({ link }: Scene, path: Path, given: Found): Opened {
  using found = given
  const kind = kindOf(found.facts)
  if (kind === 'folder') throw new AppError('is-a-folder')
  if (kind !== 'file') throw new AppError('forbidden')
  const entry = entryOf(nameOf(path), found.facts)
  const descriptor = reopen(found.descriptor, opening.read)
  // What is read at once costs no second visit of a thread, nor a third to close it.
  if (entry.sizeBytes > smallFileBytes) return { descriptor, entry }
  using file = hold(descriptor)
  const bytes = new Uint8Array(entry.sizeBytes)
  link.giveAway(bytes.buffer)
  // What became shorter since is read as far as it goes: whoever takes the bytes counts them.
  return { entry, bytes: bytes.subarray(0, readSync(file.descriptor, bytes, 0, bytes.length, 0)) }
}

export type OpenedRoot = {
  readonly descriptor: number
  readonly dev: bigint
  readonly ino: bigint
  readonly mountId: string
  /** Where it is inside the root that it was asked of. */
  readonly path: Path
  readonly realPath: string
}

/** Opens a folder as the root of a narrower storage. */
export async function openRoot(scene: Scene, { path }: { readonly path: Path }): Promise<OpenedRoot> {
  using found = await findFolder(scene, path)
  const descriptor = reopen(found.descriptor, opening.followingHandle)
  const { dev, ino } = found.facts
  const mountId = mountIdOf(descriptor)
  return { descriptor, dev, ino, mountId, path: found.path, realPath: realPathOf(descriptor) }
}

/** Where a folder is inside the root that it is asked of, with no link left in the path. */
export async function realFolder(scene: Scene, { path }: { readonly path: Path }): Promise<Path> {
  using found = await findFolder(scene, path)
  return found.path
}

/** Where a folder lies on the disk. A name that is no UTF-8 has no place in the arguments of a program. */
export async function localFolder(
  scene: Scene,
  { path }: { readonly path: Path },
): Promise<LocalFolder | null> {
  using found = await findFolder(scene, path)
  const { dev, ino } = found.facts
  const realPath = realPathOf(found.descriptor)
  const ownNames = found.path === root ? scene.where.topNames : []
  return realPath.isWellFormed() ? { realPath, dev, ino, ownNames } : null
}
