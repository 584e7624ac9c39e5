import {
  chownSync,
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs'
import { bytesOfName, nameOfBytes } from '../../../../shared/domain/name-bytes.ts'
import { AppError } from '../../../../shared/domain/failure.ts'
import type { Seat } from './calls.ts'

/**
 * Node's own calls, made on `/proc/self/fd/N/name`: the kernel starts at the open folder N, so the folders above may be renamed or
 * swapped meanwhile. The last name is not followed by any of these (open: O_NOFOLLOW).
 */

/** Missing in Node's constants; the same number on x64 and arm64. */
const O_PATH = 0o10000000
const { O_APPEND, O_DIRECTORY, O_NOFOLLOW, O_RDONLY, O_NONBLOCK, O_CREAT, O_EXCL, O_RDWR } = constants

/** Ways to open. `handle`: no rights to the bytes, no side effects on devices. */
export const opening = {
  handle: O_PATH | O_NOFOLLOW,
  followingHandle: O_PATH,
  folderHandle: O_PATH | O_NOFOLLOW | O_DIRECTORY,
  folder: O_RDONLY | O_DIRECTORY,
  plainFolder: O_RDONLY | O_DIRECTORY | O_NOFOLLOW,
  read: O_RDONLY | O_NONBLOCK,
  append: O_RDWR | O_APPEND | O_NONBLOCK,
  createNew: O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW,
} as const

/** A descriptor that closes at the end of its block (`using`). */
export type Held = { readonly descriptor: number; [Symbol.dispose](): void }

export const hold = (descriptor: number): Held => ({
  descriptor,
  [Symbol.dispose]: () => closeSync(descriptor),
})

/** The bytes of a name as the disk has them. */
export function bytesOf(name: string): Buffer {
  if (name.isWellFormed()) return Buffer.from(name, 'utf8')
  const bytes = bytesOfName(name)
  if (bytes === null) throw new AppError('bad-name')
  return Buffer.from(bytes)
}

/** The path by which Node reaches a name in an open folder. */
export function pathAt({ folder, name }: Seat): string | Buffer {
  const start = `/proc/self/fd/${folder}/`
  return name.isWellFormed() ? start + name : Buffer.concat([Buffer.from(start), bytesOf(name)])
}

export const pathOfDescriptor = (descriptor: number): string => `/proc/self/fd/${descriptor}`

export const openAt = (seat: Seat, flags: number, mode = 0): number =>
  openSync(pathAt(seat), flags | O_NOFOLLOW, mode)

/** Without it the call that makes a nameless file is refused by kernels that know none. */
const O_TMPFILE = 0o20000000 | O_DIRECTORY

/** Makes a file without a name on the disk of a folder; it goes with its descriptor, unless it is given one. */
export const openUnnamed = (folder: number, mode: number): number =>
  openSync(pathAt({ folder, name: '.' }), O_TMPFILE | O_RDWR, mode)

/** Opens for another use what is open already: the same file or folder, whatever its name is now. */
export const reopen = (descriptor: number, flags: number): number =>
  openSync(pathOfDescriptor(descriptor), flags)

/** Opens a path below a folder with whatever links it has: the kernel follows them anywhere. */
export const openFreely = (folder: number, path: string): number =>
  openSync(pathAt({ folder, name: path }), opening.followingHandle)

/** Opens an absolute path of the disk, with whatever links it has. */
export const openAnywhere = (path: string): number => openSync(bytesOf(path), opening.followingHandle)

export const makeFolderAt = (seat: Seat, mode: number): void => mkdirSync(pathAt(seat), mode)
export const unlinkAt = (seat: Seat): void => unlinkSync(pathAt(seat))
export const removeFolderAt = (seat: Seat): void => rmdirSync(pathAt(seat))
export const linkAt = (from: Seat, to: Seat): void => linkSync(pathAt(from), pathAt(to))
export const renameAt = (from: Seat, to: Seat): void => renameSync(pathAt(from), pathAt(to))
export const symlinkAt = (target: string, seat: Seat): void => symlinkSync(bytesOf(target), pathAt(seat))

/** Where a link leads, as written. */
export const readLinkAt = (seat: Seat): string => nameOfBytes(readlinkSync(pathAt(seat), 'buffer'))

/** Where a descriptor's entry is now, as an absolute path of the disk. */
export const realPathOf = (descriptor: number): string =>
  nameOfBytes(readlinkSync(pathOfDescriptor(descriptor), 'buffer'))

/** Which mount holds what is open. */
export const mountIdOf = (descriptor: number): string =>
  /mnt_id:\s*(\d+)/.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'))?.[1] ?? ''

/** Flushes a folder, which a mere handle cannot. Some network mounts refuse it; they have their own guarantees. */
export function flushFolder(folder: number): void {
  try {
    using readable = hold(reopen(folder, opening.folder))
    fsyncSync(readable.descriptor)
  } catch (error) {
    if (!unflushable.includes(errnoOf(error))) throw error
  }
}

/** Flushes a folder that was made, and its name in the one above: without a journal neither brings the other along. */
export function flushNewFolder(seat: Seat): void {
  using made = hold(openAt(seat, opening.folderHandle))
  flushFolder(made.descriptor)
  flushFolder(seat.folder)
}

/** A folder that may be written to but not read, and mounts that flush nothing: what was done stays done. */
export const unflushable: readonly string[] = ['EACCES', 'EBADF', 'EINVAL', 'EPERM', 'EROFS']

export const setMode = (descriptor: number, mode: number): void => fchmodSync(descriptor, mode)

/** Gives a file to the owner of another, where we may: a server that runs as root must not take over what it saves. */
export function giveTo(descriptor: number, owner: { readonly uid: number; readonly gid: number }): void {
  try {
    chownSync(pathOfDescriptor(descriptor), owner.uid, owner.gid)
  } catch (error) {
    if (!['EPERM', 'EINVAL', 'EROFS'].includes(errnoOf(error))) throw error
  }
}

/** The system's word for what went wrong, or `''`. */
export function errnoOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
