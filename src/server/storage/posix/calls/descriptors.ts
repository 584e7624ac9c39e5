import {
  accessSync,
  chownSync,
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  futimesSync,
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
import { constants as systemConstants } from 'node:os'
import { bytesOfName, nameOfBytes } from '../../../../shared/domain/name-bytes.ts'
import { diskPathOf, type DiskPath } from '../../disk-path.ts'
import { AppError } from '../../../../shared/domain/failure.ts'
import type { EntryLocation } from './file-system-calls.ts'

/**
 * This file applies Node's file system calls to paths of the form `/proc/self/fd/N/name`. The kernel resolves such a
 * path from the open folder N, so the calls work even when folders above it are renamed or replaced. Except for
 * `openUnconfined` and `openAnywhere`, no call follows a link in the last name.
 */

/** The O_PATH flag, which Node's constants lack. Its value is the same on x64 and arm64. */
const O_PATH = 0o10000000
const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY, O_NONBLOCK, O_CREAT, O_EXCL, O_RDWR } = constants

/**
 * Combinations of flags for open(2). A handle gives no access to the bytes of an entry, and opening a handle has no
 * side effects on devices.
 */
export const openFlags = {
  handle: O_PATH | O_NOFOLLOW,
  followingHandle: O_PATH,
  folderHandle: O_PATH | O_NOFOLLOW | O_DIRECTORY,
  folder: O_RDONLY | O_DIRECTORY,
  plainFolder: O_RDONLY | O_DIRECTORY | O_NOFOLLOW,
  read: O_RDONLY | O_NONBLOCK,
  readAndWrite: O_RDWR | O_NONBLOCK,
  createNew: O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW,
} as const

/** A file descriptor that is closed at the end of the block in which it is declared with `using`. */
export type DisposableDescriptor = { readonly descriptor: number; [Symbol.dispose](): void }

/** Wraps a descriptor so that `using` closes it. */
export const disposable = (descriptor: number): DisposableDescriptor => ({
  descriptor,
  [Symbol.dispose]: () => closeSync(descriptor),
})

/** Returns the bytes of a name as they are stored on disk. */
export function bytesOf(name: string): Buffer {
  if (name.isWellFormed()) return Buffer.from(name, 'utf8')
  const bytes = bytesOfName(name)
  if (bytes === null) throw new AppError('bad-name')
  return Buffer.from(bytes)
}

/** Returns the path that Node's file system calls need for a name in an open folder. */
export function pathAt({ folder, name }: EntryLocation): string | Buffer {
  const start = `/proc/self/fd/${folder}/`
  return name.isWellFormed() ? start + name : Buffer.concat([Buffer.from(start), bytesOf(name)])
}

/**
 * Returns the path that Node's file system calls need for an open entry. The path stays valid when the entry is
 * renamed.
 */
export const pathOfDescriptor = (descriptor: number): string => `/proc/self/fd/${descriptor}`

/** Opens an entry without following a link in its name. */
export const openAt = (location: EntryLocation, flags: number, mode = 0): number =>
  openSync(pathAt(location), flags | O_NOFOLLOW, mode)

/**
 * The O_TMPFILE flag, which Node's constants lack. It includes O_DIRECTORY, so that kernels without unnamed files
 * refuse the call instead of ignoring the flag.
 */
const O_TMPFILE = 0o20000000 | O_DIRECTORY

/**
 * Creates a file without a name on the file system of a folder. The file is deleted when its descriptor is closed,
 * unless the file has received a name by then.
 */
export const openUnnamed = (folder: number, mode: number): number =>
  openSync(pathAt({ folder, name: '.' }), O_TMPFILE | O_RDWR, mode)

/** Reopens a file or folder that is already open, with other flags. This works even when the entry was renamed. */
export const reopen = (descriptor: number, flags: number): number =>
  openSync(pathOfDescriptor(descriptor), flags)

/** Opens a path below a folder. The kernel follows every link in the path, even a link that leaves the root. */
export const openUnconfined = (folder: number, path: string): number =>
  openSync(pathAt({ folder, name: path }), openFlags.followingHandle)

/** Opens an absolute path on disk and follows its links. */
export const openAnywhere = (path: DiskPath): number => openSync(bytesOf(path), openFlags.followingHandle)

export const makeFolderAt = (location: EntryLocation, mode: number): void => mkdirSync(pathAt(location), mode)
export const unlinkAt = (location: EntryLocation): void => unlinkSync(pathAt(location))
export const removeFolderAt = (location: EntryLocation): void => rmdirSync(pathAt(location))
export const linkAt = (from: EntryLocation, to: EntryLocation): void => linkSync(pathAt(from), pathAt(to))
export const renameAt = (from: EntryLocation, to: EntryLocation): void => renameSync(pathAt(from), pathAt(to))
export const symlinkAt = (target: string, location: EntryLocation): void =>
  symlinkSync(bytesOf(target), pathAt(location))

/** Returns the target path that a link stores, without resolving it. */
export const readLinkAt = (location: EntryLocation): string =>
  nameOfBytes(readlinkSync(pathAt(location), 'buffer'))

/** Returns the absolute path on disk that an open entry currently has. */
export const realPathOf = (descriptor: number): DiskPath =>
  diskPathOf(nameOfBytes(readlinkSync(pathOfDescriptor(descriptor), 'buffer')))

/**
 * Returns the id of the mount that contains an open entry, or an empty string when the kernel does not report the id.
 */
export const mountIdOf = (descriptor: number): string =>
  /mnt_id:\s*(\d+)/.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'))?.[1] ?? ''

/**
 * Flushes a folder that is open as an O_PATH handle. The handle itself cannot be flushed, so the folder is reopened.
 * Errors of network mounts that refuse to flush folders are ignored, because such mounts have their own durability
 * guarantees.
 */
export function flushFolder(folder: number): void {
  try {
    using readable = disposable(reopen(folder, openFlags.folder))
    fsyncSync(readable.descriptor)
  } catch (error) {
    if (!ignoredFlushErrors.includes(errnoOf(error))) throw error
  }
}

/**
 * Flushes a new folder and then its parent, which contains its name. On a file system without a journal, flushing one
 * of these folders does not flush the other.
 */
export function flushNewFolder(location: EntryLocation): void {
  using made = disposable(openAt(location, openFlags.folderHandle))
  flushFolder(made.descriptor)
  flushFolder(location.folder)
}

/**
 * Error codes that are ignored when a folder cannot be flushed, because the change itself has succeeded. They mean that
 * the server may write but not read the folder, or that the mount of the folder does not support flushing folders.
 */
export const ignoredFlushErrors: readonly string[] = ['EACCES', 'EBADF', 'EINVAL', 'EPERM', 'EROFS']

export const setMode = (descriptor: number, mode: number): void => fchmodSync(descriptor, mode)

/** The owner and the group of an entry, as numbers. */
export type Owner = { readonly uid: number; readonly gid: number }

/**
 * Sets the owner and the group of a file, as far as the process is allowed to. Without this call, a server that runs as
 * root would become the owner of every file that it saves. A server that is in the group of the old file may set the group
 * alone. Returns false when one of them is another than wanted.
 */
export function copyOwner(descriptor: number, { uid, gid }: Owner): boolean {
  return tryChown(descriptor, { uid, gid }) || (tryChown(descriptor, { uid: unchanged, gid }) && isOwn(uid))
}

/** The number that makes chown(2) keep an owner or a group as it is. */
const unchanged = -1

const isOwn = (uid: number): boolean => process.geteuid?.() === uid

function tryChown(descriptor: number, { uid, gid }: Owner): boolean {
  try {
    chownSync(pathOfDescriptor(descriptor), uid, gid)
    return true
  } catch (error) {
    if (!['EPERM', 'EINVAL', 'EROFS'].includes(errnoOf(error))) throw error
    return false
  }
}

/**
 * Sets the modification time and the access time of an open file, in ms since 1970. Node replaces a negative number by the
 * current time, but takes a negative number as text.
 */
export function setModifiedTime(descriptor: number, modifiedMs: number): void {
  const seconds = String(modifiedMs / 1000)
  futimesSync(descriptor, seconds, seconds)
}

/** Throws EACCES or EROFS when the process may not create and remove entries in an open folder. */
export const requireChangeable = (folder: number): void =>
  accessSync(pathOfDescriptor(folder), constants.W_OK)

/** Throws EACCES or EROFS when the process may not write the content of an existing file, or the entries of a folder. */
export const requireWritable = (location: EntryLocation): void => accessSync(pathAt(location), constants.W_OK)

/**
 * Returns the system's code of an error, for example ENOENT, or an empty string when the error has no code. Node names only
 * the errors that libuv knows: the code of any other error is a sentence with its number.
 */
export function errnoOf(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return ''
  const unnamed = /^Unknown system error -(\d+)$/.exec(error.code)
  return unnamed === null ? error.code : (namesWithoutLibuv.get(Number(unnamed[1])) ?? error.code)
}

/**
 * The names of errors that libuv does not name. Node has a constant for some of them, with the number of the platform. The
 * other numbers are those of Linux.
 */
const namesWithoutLibuv: ReadonlyMap<number, string> = new Map([
  [117, 'EUCLEAN'],
  [123, 'ENOMEDIUM'],
  [126, 'ENOKEY'],
  [systemConstants.errno.EBADMSG, 'EBADMSG'],
  [systemConstants.errno.EDQUOT, 'EDQUOT'],
  [systemConstants.errno.ENOLINK, 'ENOLINK'],
  [systemConstants.errno.ESTALE, 'ESTALE'],
])

/** Returns true when an error means that an entry no longer exists at its path, or was replaced by one of another kind. */
export const isGone = (error: unknown): boolean => ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(errnoOf(error))

/**
 * Error codes of a disk, or of the program or the server behind a mount, that has ended, does not respond, is damaged or is
 * locked.
 */
export const unavailableErrnos = [
  'EBADMSG',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'EIO',
  'ENETDOWN',
  'ENETUNREACH',
  'ENODEV',
  'ENOKEY',
  'ENOLINK',
  'ENOMEDIUM',
  'ENOTCONN',
  'EPROTO',
  'EREMOTEIO',
  'ESHUTDOWN',
  'ESTALE',
  'EUCLEAN',
] as const

/** Error codes of an entry that exists and cannot be reached: the server may not read it, or its disk is not available. */
const unreachableErrnos: readonly string[] = ['EACCES', 'EPERM', 'ETIMEDOUT', ...unavailableErrnos]

/** Returns true when an error means that an entry exists and cannot be reached. */
export const isUnreachable = (error: unknown): boolean => unreachableErrnos.includes(errnoOf(error))
