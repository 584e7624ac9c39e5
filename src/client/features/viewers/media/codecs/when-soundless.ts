/** The properties in which browsers report whether a media element has audio. No browser has all of them. */
type SoundFacts = {
  readonly webkitAudioDecodedByteCount?: number
  readonly mozHasAudio?: boolean
  readonly audioTracks?: { readonly length: number }
}

/** The time in seconds that a video has played before it counts as silent. Sound is decoded ahead of its time. */
const playedS = 0.3

/** Returns true when the browser has decoded no sound of a file: the file has none, or the browser does not know its codec. */
function isSoundless(media: HTMLMediaElement): boolean {
  const { webkitAudioDecodedByteCount, mozHasAudio, audioTracks } = media as SoundFacts
  return webkitAudioDecodedByteCount === 0 || mozHasAudio === false || audioTracks?.length === 0
}

/**
 * Calls a function once when a file plays without any sound. A muted file is not examined, because the browser need not
 * decode its sound.
 */
export function whenSoundless(media: HTMLMediaElement, signal: AbortSignal, run: () => void): void {
  const watch = new AbortController()
  const options = { signal: AbortSignal.any([signal, watch.signal]) }
  let startS: number | null = null
  const restart = (): void => {
    startS = null
  }
  const examine = (): void => {
    if (media.paused || media.seeking || media.muted) return restart()
    startS ??= media.currentTime
    if (media.currentTime - startS < playedS) return
    watch.abort()
    if (isSoundless(media)) run()
  }
  media.addEventListener('timeupdate', examine, options)
  media.addEventListener('seeking', restart, options)
}
