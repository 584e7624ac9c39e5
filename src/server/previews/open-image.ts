import type { Entry } from '../../shared/domain/entry.ts'
import {
  headBytes,
  imageFormatOf,
  typeOfFile,
  typeOfName,
  type ImageFormat,
} from '../../shared/domain/file-kind.ts'
import { AppError, codeOf } from '../../shared/domain/failure.ts'
import { splitName } from '../../shared/domain/names.ts'
import type { Path } from '../../shared/domain/path.ts'
import { convertibleExtensions } from '../../shared/domain/convertible-images.ts'
import type { OpenFile, Storage } from '../storage/port.ts'
import type { PreviewFormat } from './conversion.ts'
import { posterKindOf, type PosterKind } from './poster-kind.ts'

/**
 * The method by which the preview of a file is made: `convert` scales the image down, `send` sends the image itself,
 * because the server cannot read its format, and the other kinds need a picture to be drawn first.
 */
export type PreviewMethod = 'convert' | 'send' | PosterKind

export type PreviewSource = {
  readonly file: OpenFile
  readonly method: PreviewMethod
  /** The format of an image, where its content tells it. */
  readonly format: ImageFormat | null
}

type OpenImageOptions = {
  readonly signal: AbortSignal
  readonly sniffs: boolean
  /** The kinds of files of which pictures are drawn. Null when the client did not ask for drawn pictures. */
  readonly posters: ReadonlySet<PosterKind> | null
  /** True when this server draws pictures of HEIC images. */
  readonly drawsHeic: boolean
}

/**
 * Opens a file for a preview. Throws `unsupported` for folders, for files that are not images, and for files of which
 * the client wants a picture that this server cannot draw.
 */
export async function openImage(
  storage: Storage,
  path: Path,
  { signal, ...options }: OpenImageOptions,
): Promise<PreviewSource> {
  const file = await openFile(storage, path, signal)
  try {
    return { file, ...(await methodFor(file, options)) }
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
 * Returns how the preview of a file is made. The content decides for the formats that the server recognizes, because
 * programs save images under the names of other formats. Without `sniffs`, a file without a known extension is not recognized.
 */
async function methodFor(
  file: OpenFile,
  { sniffs, posters, drawsHeic }: Omit<OpenImageOptions, 'signal'>,
): Promise<Omit<PreviewSource, 'file'>> {
  const { name } = file.entry
  const typeByName = typeOfName(name)
  const type = typeByName ?? (sniffs ? typeOfFile(name, sizeBytesOf(file), await readHead(file)) : null)
  const poster = type === null || posters === null ? null : posterKindOf(type, name)
  const isRecognizable = type === 'image' && (typeByName === null || hasRecognizedExtension(name))
  const format = isRecognizable ? imageFormatOf(await readHead(file)) : null
  if (format !== null && format !== 'heic') return { method: 'convert', format }
  if (poster !== null && posters?.has(poster) === true) return { method: poster, format }
  if (type !== 'image' || poster !== null) throw new AppError('unsupported')
  if (typeByName !== null && !hasConvertibleExtension(name)) return { method: 'send', format }
  return { method: format === 'heic' && drawsHeic ? 'heic' : 'convert', format }
}

/** True for the names of images whose content decides. A RAW file of a camera has the content of a TIFF. */
const hasRecognizedExtension = (name: string): boolean =>
  hasConvertibleExtension(name) || posterKindOf('image', name) === 'heic'

const hasConvertibleExtension = (name: string): boolean =>
  convertibleExtensions.has(splitName(name).extension.toLowerCase().replace('.', ''))

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
