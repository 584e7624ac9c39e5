import { previewSizes, type getPreview, type PreviewSize } from '../../shared/contract/previews.ts'
import { AppError, codeOf } from '../../shared/domain/failure.ts'
import { judgePreconditions } from '../http/answer/preconditions.ts'
import type { Answer, Asked } from '../http/route.ts'
import type { OpenFile } from '../storage/port.ts'
import type { PreviewFormat } from './conversion.ts'
import { openImage, previewFile } from './image.ts'
import type { MakePreview } from './make-preview.ts'

export type Showing = {
  /** Whether names that tell nothing are judged by their first bytes. */
  readonly sniffs: boolean
  /** Whether images are made smaller at all; otherwise they come as they are. */
  readonly isOn: Readonly<Record<PreviewSize, boolean>>
  readonly make: MakePreview
}

type AskedFor = Asked<typeof getPreview>

/**
 * Answers an image in the wanted size (contract 6). What is not converted (other formats, animations, or because that is switched off)
 * comes as a download of the file would.
 */
export async function showPreview({ sniffs, isOn, make }: Showing, asked: AskedFor): Promise<Answer> {
  const { caller, path, signal, query, header } = asked
  const size = sizeOf(asked.word)
  const { file, isConverted } = await openImage(caller.storage, path, { signal, sniffs })
  const isInline = query.inline === 'true'
  const asIs: Answer = { kind: 'file', file, isInline }
  if (!isConverted || !isOn[size] || (size === 'big' && isGif(file))) return asIs
  const format = formatFor(header('accept'))
  const made = await orClose(file, async () => {
    const etag = `${file.entry.etag}-${size}-${format}`
    const validators = { etag, modifiedMs: (file.entry.target ?? file.entry).modifiedMs }
    const isWanted = judgePreconditions(header, validators) === 'go'
    const bytes = isWanted ? await make({ file, size, format, personId: caller.user.id, signal }) : noBytes
    return bytes === null ? null : previewFile(file.entry, format, { etag, bytes })
  })
  if (made === null) return asIs
  await file.close()
  return { kind: 'file', file: made, isInline, type: `image/${format}`, headers: { vary: 'accept' } }
}

/** For what the browser has already: the door answers 304, by the same validators. */
const noBytes = Buffer.alloc(0)

function sizeOf(word: string): PreviewSize {
  const size = previewSizes.find((size) => size === word)
  if (size === undefined) {
    throw new AppError('bad-request', { reason: `the size is one of ${previewSizes.join(', ')}` })
  }
  return size
}

/** May be animated, and is shown as it is then; other animations are found when they are opened. */
const isGif = ({ entry }: OpenFile): boolean => entry.name.toLowerCase().endsWith('.gif')

/** Browsers say that they take WebP when they ask for an image; whoever does not say so gets what everything reads. */
const formatFor = (accept = ''): PreviewFormat =>
  accept.split(',').some((part) => /^\s*image\/webp\s*(;|$)/i.test(part) && !/;\s*q=0(\.0*)?\s*$/i.test(part))
    ? 'webp'
    : 'jpeg'

/** A file that is not handed on is closed. */
async function orClose<T>(file: OpenFile, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await file.close()
    throw codeOf(error) === 'bad-range' ? new AppError('changed-meanwhile', { cause: error }) : error
  }
}
