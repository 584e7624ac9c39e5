import {
  offerCacheName,
  offerLifetimeMs,
  offerNameHeader,
  offerTimeHeader,
} from '../../../shared/domain/device/offered-files.ts'
import { config } from '../../api/config.ts'
import { prompt } from '../../state/prompt.ts'
import { registerPersonal } from '../../state/personal.ts'
import { may, session } from '../../state/session.ts'

/** Browsers have the cache on secure origins only, as they have the service worker that fills it. */
const deviceCaches = (): CacheStorage | undefined => globalThis.caches

/** Removes the offered files from the device. Files that are being uploaded can still be read. */
export const dropOfferedFiles = async (): Promise<void> => {
  await deviceCaches()?.delete(offerCacheName(config().BaseURL))
}

registerPersonal({ drop: () => void dropOfferedFiles() })

/**
 * Asks the user for a folder for the files that another app has offered, if there are any. Nothing is asked while another prompt is
 * open. An old offer, and one to a user who may not create files, is dropped.
 */
export async function askAboutOfferedFiles(): Promise<void> {
  const files = await offeredFiles()
  if (files.length === 0 || session.get().kind !== 'user' || prompt.get().kind !== 'none') return
  if (may('create')) prompt.set({ kind: 'offer', files })
  else await dropOfferedFiles()
}

async function offeredFiles(): Promise<readonly File[]> {
  const name = offerCacheName(config().BaseURL)
  if (!(await deviceCaches()?.has(name))) return []
  const cache = await caches.open(name)
  const responses = await cache.matchAll()
  if (!responses.every(isRecent)) await dropOfferedFiles()
  return Promise.all(responses.filter(isRecent).map(fileOf))
}

/** True for a file that was offered a short time ago. */
const isRecent = ({ headers }: Response): boolean =>
  Date.now() - Number(headers.get(offerTimeHeader)) < offerLifetimeMs

async function fileOf(response: Response): Promise<File> {
  const name = decodeURIComponent(response.headers.get(offerNameHeader) ?? '')
  return new File([await response.blob()], name, { type: response.headers.get('content-type') ?? '' })
}
