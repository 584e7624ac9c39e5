import type { FileResource, getResource, ResourceItem } from '../../shared/contract/resources.ts'
import type { Entry } from '../../shared/domain/entry.ts'
import {
  headBytes,
  mostTextBytes,
  typeOfFile,
  typeOfName,
  type FileType,
} from '../../shared/domain/file-kind.ts'
import { codeOf } from '../../shared/domain/failure.ts'
import { imageHeadBytes, imageSizeOf } from '../../shared/domain/image-size.ts'
import { nameOf, type Path } from '../../shared/domain/path.ts'
import type { Asked } from '../http/route.ts'
import type { Op, OpenFile, Storage } from '../storage/port.ts'
import type { Pacer } from '../turns/pacer.ts'
import { inTurn, type Turns } from '../turns/turns.ts'
import { resourceHead } from './resource-head.ts'
import { subtitlesBeside } from './subtitles-beside.ts'

type AskedFor = Asked<typeof getResource>

/** What a file is, without anything of what is in it. */
export async function describeFile(
  { caller, path, isFolder: endsWithSlash, signal }: AskedFor,
  entry: Entry,
): Promise<ResourceItem> {
  const found = await typeOf(caller.storage, { path, entry, signal })
  const type = found === 'text' && !caller.may('modify') ? 'textImmutable' : found
  return resourceHead({ entry, path, endsWithSlash, type })
}

/** Where texts wait to be read, and large ones to be made ready. */
export type TextNeeds = { readonly textTurns: Turns; readonly pace: Pacer }

const largeTextBytes = 256 * 1024

/** What is told beside: of text the content, of an image its size, where the caller may download it; of a film its subtitles. */
export async function insideOf(
  needs: TextNeeds,
  { caller, path, signal }: AskedFor,
  { type }: ResourceItem,
): Promise<Pick<FileResource, 'content' | 'subtitles' | 'resolution'>> {
  if (type === 'video') {
    const subtitles = await subtitlesBeside({ storage: caller.storage, signal }, path)
    return subtitles.length === 0 ? {} : { subtitles }
  }
  if (!caller.may('download')) return {}
  if (type === 'image') {
    const head = await bytesOf(caller.storage, { path, end: imageHeadBytes, signal })
    const resolution = head === null ? null : imageSizeOf(head)
    return resolution === null ? {} : { resolution }
  }
  if (type !== 'text' && type !== 'textImmutable') return {}
  const part = { path, end: mostTextBytes, signal }
  const content = await inTurn({ turns: needs.textTurns, line: 'texts', signal }, async () =>
    textOf(needs, caller.storage, part),
  )
  return content === null || content === '' ? {} : { content }
}

type Looked = Op & { readonly path: Path; readonly entry: Entry }

/** What a file is, by its name and where that tells nothing by its first bytes. */
export async function typeOf(storage: Storage, { path, entry, signal }: Looked): Promise<FileType> {
  if ((entry.target?.kind ?? entry.kind) !== 'file') return 'blob'
  const name = nameOf(path)
  const sizeBytes = entry.target?.sizeBytes ?? entry.sizeBytes
  const head = typeOfName(name) === null ? await bytesOf(storage, { path, end: headBytes, signal }) : null
  return typeOfFile(name, sizeBytes, head)
}

type Part = Op & { readonly path: Path; readonly end: number }

/** Decoded as if UTF-8, as the original does; a mark at the start stays, since it is part of what is saved again. */
async function textOf({ pace }: TextNeeds, storage: Storage, part: Part): Promise<string | null> {
  const bytes = await bytesOf(storage, part)
  if (bytes !== null && bytes.length > largeTextBytes) await pace()
  return bytes === null ? null : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}

/** The first bytes of a file; null where the disk does not let us read it. */
async function bytesOf(storage: Storage, part: Part): Promise<Uint8Array | null> {
  try {
    const file = await storage.open(part.path, { signal: part.signal })
    try {
      return await firstBytes(file, part.end)
    } finally {
      await file.close()
    }
  } catch (error) {
    if (codeOf(error) === 'forbidden') return null
    throw error
  }
}

async function firstBytes(file: OpenFile, most: number): Promise<Uint8Array> {
  const end = Math.min(most, file.entry.target?.sizeBytes ?? file.entry.sizeBytes)
  const chunks: Uint8Array[] = []
  for await (const chunk of file.bytes({ start: 0, end })) chunks.push(Uint8Array.from(chunk))
  return Buffer.concat(chunks)
}
