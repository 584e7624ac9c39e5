import { useCallback, useEffect, useRef, useState } from 'react'
import type { ViewerProps } from '../viewer.ts'
import { damagedReason } from '../frame/damaged-reason.ts'
import { createPlayer, type Player } from './player.ts'
import { playRemuxed } from './remuxed-source.ts'
import { findUnknownCodecs, type UnknownCodecs, unplayableReason } from './codecs/unknown-codecs.ts'
import { savedPosition, savePosition } from './positions.ts'
import { whenSoundless } from './codecs/when-soundless.ts'

export type PlayerOptions = Pick<ViewerProps, 'file' | 'isQuick' | 'onBroken'> & {
  /** Files that are shorter than this, in seconds, always begin at their start. */
  readonly minResumedS: number
  readonly onEnded?: () => void
}

export type OpenPlayer = {
  readonly player: Player
  /** The time in seconds at which the file continues, or null for a file that begins at its start. */
  readonly resumedAtS: number | null
  /** The name of the audio codec, when the browser does not know the codec and the server cannot convert it. */
  readonly missingSound: string | null
}

/** The time between two writes of the position of a file that is playing, in milliseconds. */
const saveEveryMs = 5000

/**
 * The player that a component shows, and the function that connects its media element. The player is null until then.
 */
export type PlayerConnection = {
  readonly open: OpenPlayer | null
  /** Opens a player for a media element, and loads the file. The returned function releases the player. */
  readonly connect: (media: HTMLMediaElement) => () => void
}

/**
 * Plays a file with the media element that is connected. The file continues where the user left it, except in the quick
 * look. A file that the browser cannot play, or whose sound it does not know, is played in parts that the server makes of it.
 * Calls `onBroken` for a file that cannot be played in either way.
 */
export function usePlayer({
  file: { address, remuxAddress, versionKey },
  isQuick,
  minResumedS,
  ...callbacks
}: PlayerOptions): PlayerConnection {
  const [open, setOpen] = useState<OpenPlayer | null>(null)
  // `connect` is the ref of the element and no effect, so it cannot use an effect event.
  const latest = useRef(callbacks)
  useEffect(() => {
    latest.current = callbacks
  })
  const connect = useCallback(
    (media: HTMLMediaElement) => {
      const player = createPlayer(media)
      setOpen({ player, resumedAtS: null, missingSound: null })
      const listeners = new AbortController()
      const { signal } = listeners
      const isWanted = watchWish(media, signal)
      let endRemux: (() => void) | null = null
      const onBroken = async (): Promise<void> => {
        const unknown = await findUnknownCodecs(remuxAddress, signal)
        const reason = isDamaged(media, unknown) ? damagedReason() : unplayableReason(unknown)
        if (!signal.aborted) latest.current.onBroken(reason)
      }
      const onError = (): void => {
        if (media.error?.code === MediaError.MEDIA_ERR_NETWORK) return
        const isPlainFile = !media.src.startsWith('blob:')
        // The file is loaded again when the user presses Play before the first part has come.
        if (isPlainFile && endRemux !== null) return
        const canRemux = isPlainFile && remuxAddress !== null && media.readyState === media.HAVE_NOTHING
        if (canRemux)
          endRemux = playRemuxed(media, { address: remuxAddress, isWanted, onBroken: () => void onBroken() })
        else void onBroken()
      }
      const addSound = async (address: string): Promise<void> => {
        const { audio } = await findUnknownCodecs(address, signal)
        if (audio === null || signal.aborted || endRemux !== null || media.error !== null) return
        const onRefused = (): void => {
          endRemux = null
          setOpen((before) => before && { ...before, missingSound: audio })
        }
        endRemux = playRemuxed(media, { address, isWanted, onBroken: onRefused })
      }
      if (remuxAddress !== null) whenSoundless(media, signal, () => void addSound(remuxAddress))
      media.addEventListener('ended', () => latest.current.onEnded?.(), { signal })
      media.addEventListener('error', onError, { signal })
      const onResumed = (resumedAtS: number): void => setOpen((before) => before && { ...before, resumedAtS })
      const stopKeeping = isQuick ? null : keepPosition(media, { versionKey, minResumedS, onResumed })
      // The element loads the file only now, so that no event comes before the listeners.
      media.src = address
      return () => {
        listeners.abort()
        stopKeeping?.()
        endRemux?.()
        player.release()
        setOpen(null)
      }
    },
    [address, remuxAddress, versionKey, isQuick, minResumedS],
  )
  return { open, connect }
}

/** Returns true when the browser, which knows the format of a file, began to decode it and failed. */
const isDamaged = ({ error }: HTMLMediaElement, { video }: UnknownCodecs): boolean =>
  error?.code === MediaError.MEDIA_ERR_DECODE && video === null

/**
 * Returns a function that tells whether the user wants the file to play. An element whose file fails pauses by itself, so
 * this differs from its own state.
 */
function watchWish(media: HTMLMediaElement, signal: AbortSignal): () => boolean {
  let isWanted = false
  media.addEventListener('play', () => (isWanted = true), { signal })
  media.addEventListener('pause', () => (isWanted &&= media.error !== null), { signal })
  return () => isWanted
}

type PositionOptions = {
  readonly versionKey: string
  readonly minResumedS: number
  readonly onResumed: (timeS: number) => void
}

/** Continues a file where the user left it, and keeps its position until the returned function is called. */
function keepPosition(
  media: HTMLMediaElement,
  { versionKey, minResumedS, onResumed }: PositionOptions,
): () => void {
  const listeners = new AbortController()
  const { signal } = listeners
  let savedMs = Number.NEGATIVE_INFINITY
  const isKnown = (): boolean => media.readyState >= media.HAVE_METADATA && media.duration >= minResumedS
  const save = (): void => {
    if (!isKnown()) return
    savedMs = performance.now()
    savePosition(versionKey, media.currentTime, media.duration)
  }
  const resume = (): void => {
    const timeS = isKnown() ? savedPosition(versionKey) : null
    if (timeS === null || timeS >= media.duration) return
    media.currentTime = timeS
    onResumed(timeS)
  }
  media.addEventListener('loadedmetadata', resume, { signal, once: true })
  media.addEventListener('pause', save, { signal })
  media.addEventListener('ended', save, { signal })
  media.addEventListener(
    'timeupdate',
    () => {
      if (!media.paused && performance.now() - savedMs >= saveEveryMs) save()
    },
    { signal },
  )
  addEventListener('pagehide', save, { signal })
  return () => {
    listeners.abort()
    save()
  }
}
