import { createRangeReader } from '../../../api/range-reader.ts'
import {
  numberIn,
  openTiff,
  readChain,
  type TiffDirectory,
  type TiffFile,
  tags,
} from '../../../../shared/photos/tiff-directories.ts'
import { DamagedImageError } from '../../../../shared/photos/unreadable-image.ts'
import { bmpFile } from './bitmap.ts'
import { decodePage } from './decode-page.ts'
import { readPageLayout } from './page-layout.ts'
import type { TiffCommand, TiffMessage } from './tiff-messages.ts'

/** Maximum number of pages. Scanned books have fewer than 1,000. */
const maxPages = 10_000

/** The shortest time between two reports of the progress, in milliseconds. */
const progressMs = 100

/** Limits for the directories of a file. Those of a page with 50,000 segments have 400 kB. */
const directoryLimits = { requestBytes: 32 * 1024, maxBytes: 512 * 1024 * 1024, maxRequests: 50_000 }

/** The segments of a page are read one after the other. Where they are apart, some bytes are read twice. */
const pixelLimits = (sizeBytes: number) => ({
  requestBytes: 4 * 1024 * 1024,
  maxBytes: 2 * sizeBytes + 64 * 1024 * 1024,
  maxRequests: 50_000,
})

type TiffSource = { readonly address: string; readonly sizeBytes: number }

type TiffPages = {
  readonly file: TiffFile
  readonly source: TiffSource
  /** The pages that have been found. The list grows while the file is read. */
  readonly directories: readonly TiffDirectory[]
}

/** Returns a function that answers the commands for one TIFF. */
export function createTiffSession(answer: (message: TiffMessage) => void): (command: TiffCommand) => void {
  let opening: Promise<TiffPages> | null = null
  let decoding = new AbortController()
  const open = async (source: TiffSource): Promise<TiffPages> => {
    const { signal } = new AbortController()
    const file = await openTiff(createRangeReader(source.address, { ...directoryLimits, signal }))
    const pages = pagesOf(file)
    const directories = (await pages.next()).value ?? []
    const findOthers = async (): Promise<void> => {
      for await (const found of pages) answer({ kind: 'opened', pages: found.length })
    }
    answer({ kind: 'opened', pages: directories.length })
    // When later pages cannot be read, the pages before them are still shown.
    findOthers().catch(() => undefined)
    return { file, source, directories }
  }
  const decode = async (page: number, signal: AbortSignal): Promise<void> => {
    const pages = await opening
    const directory = pages?.directories[page]
    if (!pages || directory === undefined) throw new DamagedImageError('the page is missing')
    const { address, sizeBytes } = pages.source
    let toldMs = 0
    const bitmap = await decodePage(await readPageLayout(pages.file, directory), {
      read: createRangeReader(address, { ...pixelLimits(sizeBytes), signal }),
      signal,
      onProgress: (part) => {
        if (performance.now() - toldMs < progressMs) return
        toldMs = performance.now()
        answer({ kind: 'progress', page, part })
      },
    })
    answer({ kind: 'decoded', page, image: bmpFile(bitmap) })
  }
  return (command) => {
    if (command.kind === 'open') {
      opening = open(command)
      opening.catch((error: unknown) => answer({ kind: 'failed', page: null, isDamaged: isDamage(error) }))
      return
    }
    decoding.abort()
    decoding = new AbortController()
    const { signal } = decoding
    decode(command.page, signal).catch((error: unknown) => {
      if (!signal.aborted) answer({ kind: 'failed', page: command.page, isDamaged: isDamage(error) })
    })
  }
}

const isDamage = (error: unknown): boolean => error instanceof DamagedImageError

/**
 * Finds the pages of a file. Yields the same list after each page. A file whose directories are all smaller copies or
 * masks has its first directory as its page.
 */
async function* pagesOf(file: TiffFile): AsyncGenerator<readonly TiffDirectory[], void, void> {
  const pages: TiffDirectory[] = []
  let first: TiffDirectory | null = null
  for await (const directory of readChain(file, file.firstDirectory, maxPages)) {
    first ??= directory
    const type = (await numberIn(file, directory.fields.get(tags.subfileType))) ?? 0
    if ((type & (reducedCopy | mask)) !== 0) continue
    pages.push(directory)
    yield pages
  }
  if (pages.length > 0 || first === null) return
  pages.push(first)
  yield pages
}

/** The kinds of directories that are not pages (TIFF 6.0, field NewSubfileType). */
const reducedCopy = 1
const mask = 4
