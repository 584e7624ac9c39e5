import type { Entry } from '../../shared/domain/entry.ts'
import { headBytes, typeOfFile, typeOfName } from '../../shared/domain/file-kind.ts'
import { AppError, codeOf } from '../../shared/domain/failure.ts'
import { splitName } from '../../shared/domain/names.ts'
import type { Path } from '../../shared/domain/path.ts'
import { convertibleExtensions } from '../../shared/domain/convertible-images.ts'
import type { OpenFile, Storage } from '../storage/port.ts'
import type { PreviewFormat } from './conversion.ts'

/** An open image file. `isConvertible` is true when the server can make previews from the image's format. */
export type ImageFile = { readonly file: OpenFile; readonly isConvertible: boolean }

type OpenImageOptions = { readonly signal: AbortSignal; readonly sniffs: boolean }

/** Opens an image. Throws `unsupported` for folders and for files that are not images. */
export async function openImage(
  storage: Storage,
  path: Path,
  { signal, sniffs }: OpenImageOptions,
): Promise<ImageFile> {
  const file = await openFile(storage, path, signal)
  try {
    return { file, isConvertible: await isConverted(file, sniffs) }
  } catch (error) {
    await file.close()
    throw error
  }
}

async function openFile(storage: Storage, path: Path, signal: AbortSignal): Promise<OpenFile> {
  try {
    return await storage.open(path, { signal })
  } catch (cause) {
    throw codeOf(cause) === 'is-a-folder' ? new AppError('unsupported', { cause }) : cause
  }
}

/**
 * Returns true when the extension shows that the server can make previews from the image. If `sniffs` is set, a file
 * without a known extension is recognized by its first bytes and is always considered convertible. Throws `unsupported`
 * when the file is not an image.
 */
async function isConverted(file: OpenFile, sniffs: boolean): Promise<boolean> {
  const { name } = file.entry
  const typeByName = typeOfName(name)
  if (typeByName === 'image')
    return convertibleExtensions.has(splitName(name).extension.toLowerCase().replace('.', ''))
  const isSniffedImage =
    typeByName === null && sniffs && typeOfFile(name, sizeBytesOf(file), await readHead(file)) === 'image'
  if (!isSniffedImage) throw new AppError('unsupported')
  return true
}

async function readHead(file: OpenFile): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of file.bytes({ start: 0, end: Math.min(headBytes, sizeBytesOf(file)) })) {
    chunks.push(Uint8Array.from(chunk))
  }
  return Buffer.concat(chunks)
}

/** Returns the size in bytes of the open file. For a symbolic link, this is the size of its target. */
export const sizeBytesOf = ({ entry }: OpenFile): number => (entry.target ?? entry).sizeBytes

/**
 * Presents a preview as a file. The name has the extension of the preview's format, the modification time is copied
 * from the source image, and the etag differs for each size and format.
 */
export function previewFile(
  source: Entry,
  format: PreviewFormat,
  preview: { etag: string; bytes: Buffer },
): OpenFile {
  const { modifiedMs, mode } = source.target ?? source
  const name = `${splitName(source.name).stem}.${format === 'jpeg' ? 'jpg' : format}`
  return {
    entry: { name, kind: 'file', sizeBytes: preview.bytes.length, modifiedMs, mode, etag: preview.etag },
    async *bytes({ start, end }) {
      yield preview.bytes.subarray(start, end)
    },
    close: () => Promise.resolve(),
  }
}
