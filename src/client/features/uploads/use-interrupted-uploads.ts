import { useEffect } from 'react'
import { namesOf, parentOf, pathOf } from '../../../shared/domain/path.ts'
import { t } from '../../i18n/translate.ts'
import { preparation, uploads } from '../../operations/uploads.ts'
import { basePath, filesUrl, navigate } from '../../router/router.ts'
import { storeText } from '../../state/storage/browser-storage.ts'
import { addNotice } from '../../state/notices.ts'
import { userOf } from '../../state/session.ts'
import { textOfNames } from '../../ui/direction/text-of-names.ts'

/** The uploads that had not ended when their page was closed. */
type InterruptedUploads = { readonly count: number; readonly paths: readonly string[] }

/** The number of files that the notice names. */
const namedFiles = 100

/**
 * Remembers the uploads that have not ended when the page is closed or loaded again, and tells the user of them when the next
 * page opens. The browser gives no page the files of an earlier one, so they have to be chosen again.
 */
export function useInterruptedUploads(): void {
  useEffect(() => {
    const key = `uploads ${basePath()}/ ${userOf()?.id}`
    const interrupted = takeSaved(key)
    if (interrupted !== null) tell(interrupted)
    const onLeave = (): void => save(key, unfinishedUploads())
    const onReturn = ({ persisted }: PageTransitionEvent): void => {
      // The browser has kept the page as it was, with its uploads.
      if (persisted) localStorage.removeItem(key)
    }
    const ending = new AbortController()
    addEventListener('pagehide', onLeave, { signal: ending.signal })
    addEventListener('pageshow', onReturn, { signal: ending.signal })
    return () => ending.abort()
  }, [])
}

function unfinishedUploads(): InterruptedUploads {
  const jobs = uploads.summary
    .get()
    .jobs.filter(({ state }) => ['queued', 'uploading', 'paused', 'conflict'].includes(state))
  return {
    count: jobs.length + preparation.get().files,
    paths: jobs.slice(0, namedFiles).map(({ path }) => path),
  }
}

function tell({ count, paths }: InterruptedUploads): void {
  const [first] = paths
  const file = first === undefined ? null : pathOf(first)
  const names = paths.map((path) => textOfNames(path.slice(1).split('/')))
  addNotice({
    kind: 'failure',
    text: t('uploads.interrupted', { count, name: names[0] ?? '' }),
    stayMs: null,
    ...(count > 1 && names.length > 0 && { details: names }),
    ...(file !== null &&
      namesOf(file).length > 0 && {
        action: { label: t('buttons.show'), run: () => navigate(filesUrl(parentOf(file), true)) },
      }),
  })
}

function save(key: string, interrupted: InterruptedUploads): void {
  if (interrupted.count > 0) storeText(key, JSON.stringify(interrupted))
}

/** Returns the uploads that an earlier page has saved, and forgets them. Null when there are none. */
function takeSaved(key: string): InterruptedUploads | null {
  try {
    const saved = JSON.parse(localStorage.getItem(key) ?? 'null') as Partial<InterruptedUploads> | null
    localStorage.removeItem(key)
    if (!Number.isSafeInteger(saved?.count) || !Array.isArray(saved?.paths)) return null
    return { count: saved.count ?? 0, paths: saved.paths.filter((path) => typeof path === 'string') }
  } catch {
    return null
  }
}
