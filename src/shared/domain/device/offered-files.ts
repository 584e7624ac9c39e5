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

/** The header of a kept file with its percent-encoded name, and the header with the time in milliseconds at which it was offered. */
export const [offerNameHeader, offerTimeHeader] = ['stowage-name', 'stowage-offered-at']
