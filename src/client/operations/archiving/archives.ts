import { encodingQuery, type ChosenEncoding } from '../../../shared/domain/name-encodings.ts'
import type { ArchiveProgress } from '../../../shared/contract/archives.ts'
import type { ErrorCode } from '../../../shared/domain/failure.ts'
import { childOf, nameOf, type Path } from '../../../shared/domain/path.ts'
import { CallError, isAborted } from '../../api/call.ts'
import { formatSize } from '../../i18n/format.ts'
import { formatPercent } from '../../i18n/later-formats.ts'
import { t } from '../../i18n/translate.ts'
import { bytesOf, createNdjsonReader } from '../../../shared/domain/ndjson-reader.ts'
import { filesUrl } from '../../router/router.ts'
import type { notifyProgress } from '../../state/screens/work-notices.ts'
import { entryChanged } from '../../state/entry-changes.ts'
import { notifyLossList } from '../outcomes/notify-losses.ts'
import type { OperationContext } from '../operation-context.ts'
import { reasonOf } from '../reason.ts'

/** The functions of an operation, and the notice with the progress of long work. */
export type ArchiveContext = OperationContext & { readonly notifyProgress: typeof notifyProgress }

type Extraction = {
  readonly folder: Path
  readonly name: string
  /** The folder in which the new folder is created. */
  readonly destination: Path
  /** The encoding of names that are not UTF-8. */
  readonly encoding?: ChosenEncoding
}

/** Extracts an archive into a new folder. A notice shows the progress, and can cancel the work. */
export async function extractArchive(
  context: ArchiveContext,
  { folder, name, destination, encoding = '' }: Extraction,
): Promise<void> {
  const path = childOf(folder, name)
  if (path === null) return
  const outcome = await follow(context, {
    text: (progress) => t('working.extract', { name, part: formatPercent(partOf(progress)) }),
    failure: ({ files = 0 }) =>
      files > 0 ? t('failed.extract.part', { name, count: files }) : t('failed.extract', { name }),
    request: (signal) =>
      context.call('archives.extract', { path, query: { destination, ...encodingQuery(encoding) }, signal }),
  })
  context.openAt(destination)?.reload()
  const created = outcome?.path as Path | undefined
  if (outcome === null || created === undefined) return
  entryChanged.emit({ from: null, to: created })
  context.openAt(destination)?.focus(nameOf(created))
  const skipped = outcome.skippedCount ?? 0
  const show = { label: t('buttons.show'), run: () => context.go(filesUrl(created, true)) }
  if (skipped === 0) context.notify(t('done.extract', { name, folder: nameOf(created) }), show)
  else context.notifyFailure(t('failed.extract.some', { name, count: skipped }), leftOutOf(outcome), show)
}

/** Returns a line for each file that was left out, with the reason. */
const leftOutOf = ({ skipped = [], skippedReasons = [] }: ArchiveProgress): readonly string[] =>
  skipped.map((path, index) => {
    const reason = skippedReasons[index]
    return reason === undefined ? path : t('failed.extract.member', { path, reason: t(`extract.${reason}`) })
  })

type Compression = {
  readonly folder: Path
  readonly names: readonly string[]
  /** The name of the new archive, whose extension determines its format. */
  readonly archive: string
  /** Called with the reason when the server refuses the name. */
  readonly onRefusal: (reason: string) => void
}

/** Packs entries of a folder into a new archive in this folder. */
export async function compressEntries(
  context: ArchiveContext,
  { folder, names, archive, onRefusal }: Compression,
): Promise<void> {
  const path = childOf(folder, archive)
  if (path === null) return onRefusal(t('reason.bad-name'))
  const outcome = await follow(context, {
    text: ({ bytes = 0 }) => t('working.compress', { name: archive, size: formatSize(bytes) }),
    failure: () => t('failed.create', { name: archive }),
    request: (signal) =>
      context.call('archives.create', { path, body: { folder, names: [...names] }, signal }),
    onRefusal,
  })
  context.openAt(folder)?.reload()
  if (outcome === null) return
  context.openAt(folder)?.focus(archive)
  context.notify(t('done.compress', { name: archive }))
  notifyLossList(outcome.losses ?? [])
}

type FollowedWork = {
  /** Returns the text of the notice. */
  readonly text: (progress: ArchiveProgress) => string
  /** Returns the sentence for a failure after some progress. */
  readonly failure: (progress: ArchiveProgress) => string
  readonly request: (signal: AbortSignal) => Promise<Response>
  /** Called instead of a notice when the server refuses before the work begins. */
  readonly onRefusal?: (reason: string) => void
}

/** Does work of the server and shows its progress. Returns the last progress, or null when it was cancelled or failed. */
async function follow(
  context: ArchiveContext,
  { text, failure, request, onRefusal }: FollowedWork,
): Promise<ArchiveProgress | null> {
  const cancelling = new AbortController()
  const notice = context.notifyProgress(text({}), {
    label: t('buttons.cancel'),
    run: () => cancelling.abort(),
  })
  let hasBegun = false
  let latest: ArchiveProgress = {}
  try {
    const response = await request(cancelling.signal)
    hasBegun = true
    const last = await readProgress(response, (progress) => {
      latest = progress
      notice.update(text(progress))
    })
    if (last.isDone === true) return last
    // A connection that is lost ends the response without a last line.
    throw last.error === undefined ? new CallError(0) : new CallError(500, { code: last.error as ErrorCode })
  } catch (thrown) {
    if (isAborted(thrown)) context.notify(t('reason.aborted'))
    else if (onRefusal !== undefined && !hasBegun) onRefusal(reasonOf(thrown))
    else context.notifyFailure(`${failure(latest)} ${reasonOf(thrown)}`)
    return null
  } finally {
    notice.end()
  }
}

async function readProgress(
  response: Response,
  onProgress: (progress: ArchiveProgress) => void,
): Promise<ArchiveProgress> {
  const reader = createNdjsonReader()
  let last: ArchiveProgress = {}
  for await (const bytes of bytesOf(response)) {
    for (const line of reader.push(bytes)) {
      last = line as ArchiveProgress
      onProgress(last)
    }
  }
  return last
}

/** Returns the completed part as a number from 0 to 1, by bytes, or by files when all files are empty. */
function partOf({ bytes = 0, totalBytes = 0, files = 0, totalFiles = 0 }: ArchiveProgress): number {
  if (totalBytes > 0) return bytes / totalBytes
  return totalFiles > 0 ? files / totalFiles : 0
}
