import { encodeName } from '../../shared/domain/path.ts'

/**
 * An absolute path on a disk of this machine, as the operating system takes it. A `Path` begins at the root of a storage
 * instead, so the compiler refuses to use one for the other. Bytes that are not UTF-8 are lone surrogates, as in names.
 */
export type DiskPath = string & { readonly __diskPath: unique symbol }

/** Declares that a text of the operating system or of the configuration is an absolute path on a disk. */
export const diskPathOf = (absolutePath: string): DiskPath => absolutePath as DiskPath

/** Returns the last name of a path on a disk, or an empty text for `/`. */
export const diskNameOf = (path: DiskPath): string => path.slice(path.lastIndexOf('/') + 1)

/** Returns the folder that contains an entry. The parent of `/` is `/`. */
export const diskParentOf = (path: DiskPath): DiskPath =>
  diskPathOf(path.slice(0, path.lastIndexOf('/')) || '/')

/** Percent-encodes each name of a path on a disk, as `encodePath` does. */
export const encodeDiskPath = (path: DiskPath): string => path.split('/').map(encodeName).join('/')
