import { createSlots } from './request-slots.ts'

/** Loads the pictures that the server draws of files, and remembers them for rows that come back on screen. */
export type PosterLoader = {
  /**
   * Loads a poster. Resolves with null when there is none, and when the signal aborts. A failure of the connection is not
   * remembered, so a later call tries again.
   */
  readonly load: (address: string, signal: AbortSignal) => Promise<Blob | null>
  /** Returns a picture that is in memory, or null. */
  readonly loadedPicture: (address: string) => Blob | null
  /** Returns true when the server could not draw this version of the file. */
  readonly hasFailed: (address: string) => boolean
  readonly clear: () => void
}

/**
 * The number of posters that are requested at the same time. The server draws two, and a third request is on its way. A
 * browser has six connections to a server, so the others stay free for listings and images.
 */
const maxConcurrent = 3

/** The number of pictures in memory. A thumbnail has about 10 kB, so they are about 3 MB. */
const maxPictures = 300

/** The number of failures that are remembered. An address has about 100 characters, so they are at most about 200 kB. */
const maxFailures = 1000

/**
 * The statuses that say that another request for the same version of a file would fail, too: the file is too large or
 * damaged, was not drawn in time, or the program is missing. The address contains the time of the file's last change.
 */
const finalStatuses: readonly number[] = [413, 422, 501, 504]

/** Creates the queue of the posters of a page. Waiting requests are sent in the order in which they were made. */
export function createPosterLoader(
  request: (address: string, signal: AbortSignal) => Promise<Response>,
): PosterLoader {
  const pictures = new Map<string, Blob>()
  const failures = new Map<string, true>()
  const waitForSlot = createSlots(maxConcurrent)

  const fetchPicture = async (address: string, signal: AbortSignal): Promise<Blob | null> => {
    const response = await request(address, signal)
    if (finalStatuses.includes(response.status))
      addNewest(failures, { key: address, value: true, max: maxFailures })
    if (response.ok) return response.blob()
    await response.body?.cancel()
    return null
  }

  return {
    async load(address, signal) {
      const release = await waitForSlot(signal)
      if (release === null) return null
      try {
        const picture = failures.has(address) ? null : await fetchPicture(address, signal)
        if (picture !== null) addNewest(pictures, { key: address, value: picture, max: maxPictures })
        return picture
      } catch {
        return null
      } finally {
        release()
      }
    },
    loadedPicture: (address) => pictures.get(address) ?? null,
    hasFailed: (address) => failures.has(address),
    clear: () => {
      pictures.clear()
      failures.clear()
    },
  }
}

/** Adds an entry as the newest one, and removes the oldest one when there are too many. */
export function addNewest<T>(
  entries: Map<string, T>,
  { key, value, max }: { readonly key: string; readonly value: T; readonly max: number },
): void {
  entries.delete(key)
  entries.set(key, value)
  const [oldest] = entries.keys()
  if (entries.size > max && oldest !== undefined) entries.delete(oldest)
}
