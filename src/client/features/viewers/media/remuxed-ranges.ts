import type { TimeRange } from './player.ts'

/** Parts are loaded until this number of seconds after the position is in memory. A part has about 10 seconds. */
const aheadS = 25

/** A position this close to a loaded range counts as inside, because the streams of a file begin and end at different times. */
const nearS = 0.3

/** Gaps in a damaged file that are shorter than this are skipped, in seconds. */
const maxGapS = 3

/** Returns the time in seconds from which the next part is needed, or null when enough is loaded. */
export function nextPartS(
  loaded: readonly TimeRange[],
  { timeS, durationS }: { readonly timeS: number; readonly durationS: number },
): number | null {
  const around = loaded.find(({ startS, endS }) => timeS >= startS - nearS && timeS <= endS + nearS)
  const fromS = around?.endS ?? timeS
  const isComplete = fromS >= durationS - nearS || fromS - timeS > aheadS
  return isComplete ? null : Math.round(fromS * 1000) / 1000
}

/** Returns the start of the loaded range that follows a position in a gap closely, or null. */
export const startAfterGapS = (loaded: readonly TimeRange[], timeS: number): number | null => {
  const isInside = loaded.some(({ startS, endS }) => timeS >= startS && timeS < endS)
  const next = loaded.find(({ startS }) => startS > timeS && startS - timeS < maxGapS)
  return isInside ? null : (next?.startS ?? null)
}
