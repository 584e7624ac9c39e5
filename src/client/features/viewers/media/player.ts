import { createStore, type Store, useStore } from '../../../state/store.ts'
import { muted, playbackSpeed, soundVolume } from './player-preferences.ts'

/** A part of a media file in seconds. */
export type TimeRange = { readonly startS: number; readonly endS: number }

/** The state of a media element that a player shows. */
export type PlayerState = {
  readonly isPlaying: boolean
  /** True while playing waits for bytes. */
  readonly isWaiting: boolean
  readonly timeS: number
  /** The duration in seconds. 0 while it is unknown. */
  readonly durationS: number
  /** The time ranges of the file that the browser has buffered. */
  readonly loaded: readonly TimeRange[]
  /** True when the connection was lost while the file was loaded. */
  readonly isInterrupted: boolean
}

/** Plays a file with a media element, and follows the user's volume and speed. */
export type Player = {
  readonly media: HTMLMediaElement
  readonly state: Pick<Store<PlayerState>, 'get' | 'subscribe'>
  readonly toggle: () => void
  /** Plays from a time in seconds. A time outside of the file is replaced by its start or end. */
  readonly seek: (timeS: number) => void
  /** Stops playing, and ends the connection with the element. */
  readonly release: () => void
}

const stateEvents = [
  'play',
  'playing',
  'pause',
  'waiting',
  'timeupdate',
  'seeking',
  'seeked',
  'durationchange',
  'progress',
  'canplay',
  'ended',
  'emptied',
  'error',
] as const

/** Connects a media element with a player. */
export function createPlayer(media: HTMLMediaElement): Player {
  const state = createStore(stateOf(media))
  const connection = new AbortController()
  const update = (): void => state.set(stateOf(media))
  for (const name of stateEvents) media.addEventListener(name, update, { signal: connection.signal })
  const apply = (): void => {
    media.volume = Number(soundVolume.get())
    media.muted = muted.get() === 'on'
    media.playbackRate = playbackSpeed.get()
  }
  const preferences = [soundVolume, muted, playbackSpeed].map((store) => store.subscribe(apply))
  // The element takes the default speed for each new file.
  media.addEventListener('loadedmetadata', apply, { signal: connection.signal })
  apply()
  return {
    media,
    state,
    toggle: () => (media.paused ? play(media) : media.pause()),
    seek: (timeS) => {
      const { durationS } = state.get()
      if (durationS > 0) media.currentTime = Math.min(durationS, Math.max(0, timeS))
      update()
    },
    release: () => {
      connection.abort()
      for (const unsubscribe of preferences) unsubscribe()
      media.pause()
    },
  }
}

/** Returns the state of a player, and renders the component again when the state changes. */
export const usePlayerState = (player: Player): PlayerState => useStore(player.state)

/**
 * Starts to play. After a lost connection the file is loaded again, and continues where it ended. The browser may refuse,
 * for example because the user has not touched the page yet. The player then stays paused.
 */
export function play(media: HTMLMediaElement): void {
  if (media.error !== null) {
    const timeS = media.currentTime
    media.load()
    media.currentTime = timeS
  }
  media.play().catch(() => undefined)
}

const stateOf = (media: HTMLMediaElement): PlayerState => ({
  isPlaying: !media.paused && !media.ended,
  isWaiting: !media.paused && media.readyState < media.HAVE_FUTURE_DATA && media.error === null,
  timeS: media.currentTime,
  durationS: Number.isFinite(media.duration) ? media.duration : 0,
  loaded: rangesOf(media.buffered),
  isInterrupted: media.error?.code === MediaError.MEDIA_ERR_NETWORK,
})

/** Returns the parts of a file that a media element has loaded, in the order of their times. */
export const rangesOf = (ranges: TimeRanges): readonly TimeRange[] =>
  Array.from({ length: ranges.length }, (_, index) => ({
    startS: ranges.start(index),
    endS: ranges.end(index),
  }))
