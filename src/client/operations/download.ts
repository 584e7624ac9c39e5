import { nameOf, type Path } from '../../shared/domain/path.ts'
import { call, isAborted } from '../api/call.ts'
import { href } from '../api/href.ts'
import { t } from '../i18n/translate.ts'
import { tellFailure } from '../state/notices.ts'

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
export async function startDownload(target: DownloadTarget, failure: () => string): Promise<void> {
  try {
    await call('raw.get', { ...target, isHead: true })
  } catch (thrown) {
    if (!isAborted(thrown)) void tellRefusal(failure, thrown)
    return
  }
  const link = document.createElement('a')
  link.href = href('raw.get', target)
  // An empty value keeps the name that the server sends.
  link.download = ''
  link.click()
}

/** The sentences for all reasons are not part of the first code, so they are loaded when a download is refused. */
async function tellRefusal(failure: () => string, thrown: unknown): Promise<void> {
  try {
    const [{ reasonOf }] = await Promise.all([import('./reason.ts'), import('../i18n/later-texts.ts')])
    tellFailure(`${failure()} ${reasonOf(thrown)}`)
  } catch {
    tellFailure(t('errors.connection'))
  }
}
