import { pathOfDescriptor } from './descriptors.ts'
import { type LoadedKernel, pathBytes } from './kernel.ts'

/** The maximum size of the names of all attributes of an entry, and of one value, in bytes (XATTR_SIZE_MAX of Linux). */
const maxBytes = 64 * 1024
/** Error numbers ENODATA, EOPNOTSUPP and ENOSYS: there is no such attribute, or the file system has no attributes. */
const without: readonly number[] = [61, 95, 38]

/**
 * Attributes that belong to one file and not to its content: the labels of security modules, signatures, and capabilities,
 * which a changed file must not keep.
 */
const notCopied = /^(security\.(?!NTACL$)|trusted\.)/

/**
 * Creates the function that copies the extended attributes of an entry to another one, both by their descriptors. A
 * descriptor may be a handle, because the calls take the path of the descriptor.
 */
export function createAttributeCopier({
  kernel,
  number,
  buffers,
}: LoadedKernel): (from: number, to: number) => boolean {
  let memory: { readonly bytes: Buffer; readonly at: number } | null = null
  const space = (): { readonly bytes: Buffer; readonly at: number } => {
    const bytes = memory?.bytes ?? Buffer.allocUnsafeSlow(maxBytes)
    return (memory ??= { bytes, at: kernel.addressOf(bytes) })
  }

  /** Copies one attribute. The source no longer having it counts as copied. */
  function copyOne(from: number, to: number, name: string): boolean {
    const { at } = space()
    const source = buffers.writePath(pathOfDescriptor(from), 0)
    const nameAt = buffers.writePath(name, pathBytes / 2)
    const size = kernel.getxattr(number.getxattr, source, nameAt, at, maxBytes)
    if (size < 0) return without.includes(kernel.errno())
    const target = buffers.writePath(pathOfDescriptor(to), 0)
    return kernel.setxattr(number.setxattr, target, nameAt, at, size, 0) >= 0
  }

  return (from, to) => {
    const { bytes, at } = space()
    const length = kernel.listxattr(
      number.listxattr,
      buffers.writePath(pathOfDescriptor(from), 0),
      at,
      maxBytes,
    )
    if (length < 0) return without.includes(kernel.errno())
    const names = bytes.subarray(0, length).toString('utf8').split('\0')
    const copied = names.filter((name) => name !== '' && !notCopied.test(name))
    return copied.map((name) => copyOne(from, to, name)).every(Boolean)
  }
}
