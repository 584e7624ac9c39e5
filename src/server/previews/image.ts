import type { Entry } from '../../shared/domain/entry.ts'
import { headBytes, typeOfFile, typeOfName } from '../../shared/domain/file-kind.ts'
import { AppError, codeOf } from '../../shared/domain/failure.ts'
import { splitName } from '../../shared/domain/names.ts'
import type { Path } from '../../shared/domain/path.ts'
import { convertedExtensions } from '../../shared/domain/shown-images.ts'
import type { OpenFile, Storage } from '../storage/port.ts'
import type { PreviewFormat } from './conversion.ts'

/** An open image, and whether it is of a format that is converted. */
export type Image = { readonly file: OpenFile; readonly isConverted: boolean }

type Opening = { readonly signal: AbortSignal; readonly sniffs: boolean }

/** Opens an image; anything else is `unsupported`, a folder too. */
export async function openImage(storage: Storage, path: Path, { signal, sniffs }: Opening): Promise<Image> {
  const file = await openFile(storage, path, signal)
  try {
    return { file, isConverted: await isConverted(file, sniffs) }
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

/** By the name where it tells; otherwise by the first bytes, and what those tell is always converted. */
async function isConverted(file: OpenFile, sniffs: boolean): Promise<boolean> {
  const { name } = file.entry
  const named = typeOfName(name)
  if (named === 'image')
    return convertedExtensions.has(splitName(name).extension.toLowerCase().replace('.', ''))
  const isSniffed = named === null && sniffs && typeOfFile(name, sizeOf(file), await headOf(file)) === 'image'
  if (!isSniffed) throw new AppError('unsupported')
  return true
}

async function headOf(file: OpenFile): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of file.bytes({ start: 0, end: Math.min(headBytes, sizeOf(file)) })) {
    chunks.push(Uint8Array.from(chunk))
  }
  return Buffer.concat(chunks)
}

/** What a link leads to is what is open. */
export const sizeOf = ({ entry }: OpenFile): number => (entry.target ?? entry).sizeBytes

/** A preview as a file of its own: named by what it is, as old as its source, with a tag for each of its forms. */
export function previewFile(
  source: Entry,
  format: PreviewFormat,
  made: { etag: string; bytes: Buffer },
): OpenFile {
  const { modifiedMs, mode } = source.target ?? source
  const name = `${splitName(source.name).stem}.${format === 'jpeg' ? 'jpg' : format}`
  return {
    entry: { name, kind: 'file', sizeBytes: made.bytes.length, modifiedMs, mode, etag: made.etag },
    async *bytes({ start, end }) {
      yield made.bytes.subarray(start, end)
    },
    close: () => Promise.resolve(),
  }
}
