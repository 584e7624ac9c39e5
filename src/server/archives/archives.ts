import { AppError } from '../../shared/domain/failure.ts'
import { nameOf, root, type Path } from '../../shared/domain/path.ts'
import type { Answer } from '../http/route.ts'
import type { Storage } from '../storage/port.ts'
import { createPool } from '../workers/pool.ts'
import { createFormatFinder, type ArchiveFormat } from './archive-formats.ts'
import { createPacer } from '../turns/pacer.ts'
import type { Turns } from '../turns/turns.ts'
import { membersOf, type Packing } from './members.ts'
import { requestedPaths, type Requested } from './requested-paths.ts'

/** A folder, or some of what is in it, asked for as an archive. */
export type ArchiveRequest = {
  /** Narrowed to what the asker may reach. */
  readonly storage: Storage
  readonly folder: Path
  /** What an archive of the storage's root is called, without extension. */
  readonly rootName: string
  /** As on the wire (contract 5.2). */
  readonly files: string
  readonly algo: string
  /** Whose places this takes. */
  readonly principal: string
  readonly signal: AbortSignal
}

export type Archives = {
  /** The archive as an answer. Nothing is read before its first byte is asked for. */
  readonly pack: (request: ArchiveRequest) => Promise<Answer>
  readonly close: () => Promise<void>
}

/** Reading a longer list of names is work that others would wait for. */
const longChars = 16 * 1024

/** Packs archives as they are sent: nothing is kept on disk, and in memory only what is on its way. */
export function createArchives(turns: Turns): Archives {
  const pace = createPacer()
  const threads = createPool({ entry: new URL('./compressions/thread.ts', import.meta.url), size: 2 })
  const findFormat = createFormatFinder(threads)
  return {
    async pack(request) {
      const format = findFormat(request.algo)
      if (format === null) throw new AppError('bad-request', { reason: 'there is no such archive format' })
      if (request.files.length > longChars) await pace()
      const requested = requestedPaths(request.folder, request.files)
      return {
        kind: 'download',
        name: archiveName(request, requested) + format.extension,
        contentType: format.contentType,
        pieces: packed(turns, request, { ...requested, format }),
      }
    },
    close: () => threads.close(),
  }
}

/** What an archive is named after: the one thing that it holds, or the folder of the several with `_` before it. */
function archiveName({ rootName }: ArchiveRequest, { base, tops }: Requested): string {
  const name = base === root ? rootName : nameOf(base)
  return tops.length > 1 ? `_${name}` : name
}

type Chosen = Requested & { readonly format: ArchiveFormat }

async function* packed(
  turns: Turns,
  { storage, principal, signal }: ArchiveRequest,
  { base, tops, format }: Chosen,
): AsyncGenerator<Uint8Array, void> {
  const leave = await turns.take(principal, signal)
  try {
    const packing: Packing = { storage, base, tops, sums: format.sums, signal }
    yield* format.write(membersOf(packing))
  } finally {
    leave()
  }
}
