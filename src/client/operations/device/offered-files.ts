import {
  isRecentOffer,
  offerCacheName,
  offerNameHeader,
  offerPersonHeader,
  personCacheName,
} from '../../../shared/domain/device/offered-files.ts'
import { config } from '../../api/config.ts'
import { prompt } from '../../state/prompt.ts'
import { registerPersonal, userSignal } from '../../state/personal.ts'
import { may, session } from '../../state/session.ts'

/** Browsers have the cache on secure origins only, as they have the service worker that fills it. */
const deviceCaches = (): CacheStorage | undefined => globalThis.caches

/** Removes the offered files from the device. Files that are being uploaded can still be read. */
export const dropOfferedFiles = async (): Promise<void> => {
  await deviceCaches()?.delete(offerCacheName(config().BaseURL))
}

/** Removes everything of the user from the device. Offers belong to nobody until a user signs in again. */
async function dropPerson(): Promise<void> {
  await Promise.all([deviceCaches()?.delete(personCacheName(config().BaseURL)), dropOfferedFiles()])
}

registerPersonal({ drop: () => void dropPerson() })

/**
 * Stores for the service worker who is signed in, so that only this user is asked about files that other apps offer from now on.
 * The user is not removed when the session ends without a logout.
 */
export async function storePerson(id: number): Promise<void> {
  const isLeft = userSignal()
  const { BaseURL } = config()
  const cache = await deviceCaches()?.open(personCacheName(BaseURL))
  if (!isLeft.aborted) await cache?.put(`${BaseURL}/`, new Response(String(id)))
}

/**
 * Asks the user for a folder for the files that another app has offered, if there are any. Nothing is asked while another prompt is
 * open. An old offer, one to another user, and one to a user who may not create files, is dropped.
 */
export async function askAboutOfferedFiles(): Promise<void> {
  const now = session.get()
  const name = offerCacheName(config().BaseURL)
  if (now.kind !== 'user' || !(await deviceCaches()?.has(name))) return
  const isLeft = userSignal()
  const kept = await (await caches.open(name)).matchAll()
  const isOffered = kept.every((file) => isRecentOffer(file) && isFor(file, now.user.id))
  if (!isOffered || !may('create')) return dropOfferedFiles()
  const files = await Promise.all(kept.map(fileOf))
  if (files.length === 0 || isLeft.aborted || prompt.get().kind !== 'none') return
  prompt.set({ kind: 'offer', files })
}

const isFor = ({ headers }: Response, id: number): boolean => headers.get(offerPersonHeader) === String(id)

async function fileOf(response: Response): Promise<File> {
  const name = decodeURIComponent(response.headers.get(offerNameHeader) ?? '')
  return new File([await response.blob()], name, { type: response.headers.get('content-type') ?? '' })
}
