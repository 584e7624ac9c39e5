import { createBoundedMap } from '../concurrency/bounded-map.ts'
import { hash } from 'node:crypto'

/** The time in which a further request for the same file belongs to the same download: 15 minutes, as long as a pause of a film. */
const repeatMs = 15 * 60_000
/**
 * The capacity in downloads, each of which takes about 150 bytes of memory. The oldest download is forgotten first, and then
 * counts once more.
 */
const knownDownloads = 10_000

/** Tells whether a request belongs to a download that was recorded before. */
export type RepeatDetector = {
  /** Returns true when the key was seen within the last 15 minutes, and notes it. */
  readonly isRepeated: (key: string) => boolean
}

/** Creates the detector of requests that belong to one download, such as the ranges of a video. */
export function createRepeatDetector(nowMs: () => number): RepeatDetector {
  const seenAtMs = createBoundedMap<string, number>(knownDownloads)
  return {
    isRepeated(text) {
      // A key may contain thousands of names, so only its hash is kept.
      const key = hash('sha256', text, 'base64')
      const lastMs = seenAtMs.get(key)
      seenAtMs.set(key, nowMs())
      return lastMs !== undefined && nowMs() - lastMs < repeatMs
    },
  }
}
