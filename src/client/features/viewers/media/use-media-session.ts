import { useEffect, useEffectEvent } from 'react'
import type { Player } from './player.ts'
import type { PlaylistSteps } from './player-bar.tsx'

/** The facts about the open file that the system shows, for example on a lock screen, and the targets of its media keys. */
export type MediaSessionFacts = Partial<PlaylistSteps> & {
  readonly title: string
  readonly artist?: string
  readonly album?: string
  /** The URL of the cover, or null. */
  readonly cover?: string | null
}

/** Tells the system what is played, and lets its media keys control the player. */
export function useMediaSession(player: Player | null, facts: MediaSessionFacts): void {
  const { title, artist = '', album = '', cover = null, onPrevious = null, onNext = null } = facts
  const playPrevious = useEffectEvent(() => onPrevious?.())
  const playNext = useEffectEvent(() => onNext?.())
  useEffect(() => {
    if (player === null || !('mediaSession' in navigator)) return undefined
    const { mediaSession } = navigator
    const artwork = cover === null ? [] : [{ src: cover }]
    mediaSession.metadata = new MediaMetadata({ title, artist, album, artwork })
    return () => {
      mediaSession.metadata = null
    }
  }, [player, title, artist, album, cover])
  const [hasPrevious, hasNext] = [onPrevious !== null, onNext !== null]
  useEffect(() => {
    if (player === null || !('mediaSession' in navigator)) return undefined
    const handlers: Partial<Record<MediaSessionAction, MediaSessionActionHandler>> = {
      seekto: ({ seekTime }) => player.seek(seekTime ?? 0),
      ...(hasPrevious && { previoustrack: () => playPrevious() }),
      ...(hasNext && { nexttrack: () => playNext() }),
    }
    const set = (action: MediaSessionAction, handler: MediaSessionActionHandler | null): void => {
      try {
        navigator.mediaSession.setActionHandler(action, handler)
      } catch {
        // The browser does not know this action.
      }
    }
    const actions = Object.keys(handlers) as MediaSessionAction[]
    for (const action of actions) set(action, handlers[action] ?? null)
    return () => {
      for (const action of actions) set(action, null)
    }
  }, [player, hasPrevious, hasNext])
}
