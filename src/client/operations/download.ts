import { nameOf, type Path } from '../../shared/domain/path.ts'
import { call, isAborted } from '../api/call.ts'
import { href } from '../api/href.ts'
import { t } from '../i18n/translate.ts'
import { notifyFailure } from '../state/notices.ts'
import { operationsAfterRows } from './load-after-rows.ts'

/** A file, or an archive of a folder or of some of its entries (contract 5). */
export type DownloadTarget = {
  readonly path: Path
  readonly query?: { readonly files?: string | undefined; readonly algo?: string | undefined }
}

/** Starts the browser's download of one file. */
export const downloadFile = (path: Path): Promise<void> =>
  startDownload({ path }, () => t('failed.download', { name: nameOf(path) }))

/**
 * Starts the browser's download. The session cookie authorises it, so the URL contains no secret. Browsers do not tell
 * why a download failed, so the server is asked for the headers of the response first. A refusal is shown as a notice
 * that begins with the text of `failure`, and a session that has ended asks for a login.
 */
export const startDownload = (target: DownloadTarget, failure: () => string): Promise<void> =>
  downloadIfAccepted({
    ask: () => call('raw.get', { ...target, isHead: true }),
    address: href('raw.get', target),
    failure,
  })

type DownloadRequest = {
  /** Asks the server for the headers of the response. */
  readonly ask: () => Promise<unknown>
  readonly address: string
  readonly failure: () => string
}

/** Starts the browser's download of an address, as `startDownload` does, once the server has accepted the request. */
export async function downloadIfAccepted({ ask, address, failure }: DownloadRequest): Promise<void> {
  try {
    await ask()
  } catch (thrown) {
    if (!isAborted(thrown)) void notifyRefusal(failure, thrown)
    return
  }
  const link = document.createElement('a')
  link.href = address
  // An empty value keeps the name that the server sends.
  link.download = ''
  link.click()
}

/** The sentences for all reasons are not part of the first code, so they are loaded when a download is refused. */
async function notifyRefusal(failure: () => string, thrown: unknown): Promise<void> {
  try {
    const { reasonOf } = await operationsAfterRows.load()
    notifyFailure(`${failure()} ${reasonOf(thrown)}`)
  } catch {
    notifyFailure(t('errors.connection'))
  }
}
