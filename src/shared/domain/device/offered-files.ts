/**
 * Files that another app of the device offers to the installed web app ("Share" on a phone). The service worker keeps them on the
 * device until the user has chosen a folder for them or has closed the prompt.
 */

/** The path below the base path to which the device sends offered files. The service worker answers it, never the server. */
export const offerPath = '/offer-files'

/** The name of the field of the form in which the device sends offered files. */
export const offerField = 'files'

/** The largest number of files that are taken from one offer. A photo app offers at most a hundred. */
export const maxOfferedFiles = 1000

/** The age in milliseconds after which an offer is dropped: ten minutes, which is enough to sign in. */
export const offerLifetimeMs = 10 * 60_000

/** Returns the name of the cache with the offered files of the installation with a base path. */
export const offerCacheName = (base: string): string => `stowage-offer ${base}/`

/**
 * Returns the name of the cache in which the page stores, under the base path, the id of the user who is signed in on the device.
 * It contains nothing when nobody is signed in.
 */
export const personCacheName = (base: string): string => `stowage-person ${base}/`

/**
 * The headers of a kept file: its percent-encoded name, the time in milliseconds at which it was offered, and the id of the user who was
 * signed in then. The files of one offer have the same time and the same user.
 */
export const [offerNameHeader, offerTimeHeader, offerPersonHeader] = [
  'stowage-name',
  'stowage-offered-at',
  'stowage-offered-to',
]

/** Returns true for a kept file that was offered a short time ago. */
export function isRecentOffer({ headers }: { readonly headers: Pick<Headers, 'get'> }): boolean {
  const ageMs = Date.now() - Number(headers.get(offerTimeHeader))
  return ageMs >= 0 && ageMs < offerLifetimeMs
}

/**
 * Returns the name under which an offered file is kept. Only the user chooses the folder, so everything up to the last separator is
 * removed from the name that the other app has given.
 */
export function nameOfOffered(given: string): string {
  const name = given.slice(Math.max(given.lastIndexOf('/'), given.lastIndexOf('\\')) + 1).toWellFormed()
  return ['', '.', '..'].includes(name) ? 'file' : name
}
