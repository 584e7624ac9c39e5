import { useCallback, useState } from 'react'
import { useStore } from '../../../state/store.ts'
import type { Subtitle } from '../viewer.ts'
import { subtitleChoice } from './player-preferences.ts'

/** The subtitles of a video: those that are shown, or null, and the functions that change them. */
export type SubtitleSelection = {
  readonly chosen: Subtitle | null
  readonly choose: (subtitle: Subtitle | null) => void
  /** Hides the subtitles, or shows those of the user's language again. */
  readonly toggle: () => void
}

/** Returns the subtitles of a video that are shown. The choice of a language, or of none, also holds for other videos. */
export function useSubtitleSelection(subtitles: readonly Subtitle[]): SubtitleSelection {
  const choice = useStore(subtitleChoice)
  const [own, setOwn] = useState<Subtitle | null | undefined>(undefined)
  const chosen = own === undefined ? preferredSubtitle(subtitles, choice) : own
  const choose = (subtitle: Subtitle | null): void => {
    setOwn(subtitle)
    subtitleChoice.set(subtitle === null ? 'off' : (languageOf(subtitle.name) ?? 'first'))
  }
  return {
    chosen,
    choose,
    toggle: () => choose(chosen === null ? preferredSubtitle(subtitles, 'first') : null),
  }
}

/** Returns the subtitles that are shown first: those of the chosen language, else the first, or null when they are off. */
export function preferredSubtitle(subtitles: readonly Subtitle[], choice: string): Subtitle | null {
  if (choice === 'off') return null
  return subtitles.find(({ name }) => languageOf(name) === choice) ?? subtitles[0] ?? null
}

/** Returns the language that the name of a subtitle file contains before its extension: `en` in `clip.en.vtt`. */
export const languageOf = (name: string): string | null =>
  /\.([a-z]{2,3}(?:-[a-z\d]{2,8}){0,3})\.[^.]+$/i.exec(name)?.[1]?.toLowerCase() ?? null

/** The largest number of cues that are shown at once. More would cover the picture, and thousands stop the page. */
const maxShownCues = 20

/** The longest text of a cue that is shown, in characters. The longest ones that people write have some hundred. */
const maxCueLength = 2000

/** The cues that are on screen, and whether the subtitles could not be loaded. */
export type ActiveCues = {
  /** Connects a track element. One without a URL has no cues. */
  readonly attach: (element: HTMLTrackElement | null) => (() => void) | undefined
  readonly cues: readonly VTTCue[]
  readonly isBroken: boolean
}

/** Cuts the text of a cue that would take seconds to lay out. */
function withShortText(cue: VTTCue): VTTCue {
  if (cue.text.length > maxCueLength) cue.text = cue.text.slice(0, maxCueLength)
  return cue
}

/**
 * Reads the cues of a track. The page draws them itself, because the browser would draw them below our controls.
 */
export function useCues(): ActiveCues {
  const [cues, setCues] = useState<readonly VTTCue[]>([])
  const [isBroken, setBroken] = useState(false)
  const attach = useCallback((element: HTMLTrackElement | null) => {
    if (element === null || element.src === '') return undefined
    const { track } = element
    const update = (): void =>
      setCues(
        Array.prototype.slice
          .call(track.activeCues ?? [], 0, maxShownCues)
          .filter((cue: unknown) => cue instanceof VTTCue)
          .map(withShortText),
      )
    const onError = (): void => setBroken(true)
    track.mode = 'hidden'
    track.addEventListener('cuechange', update)
    element.addEventListener('error', onError)
    return () => {
      track.removeEventListener('cuechange', update)
      element.removeEventListener('error', onError)
      setCues([])
      setBroken(false)
    }
  }, [])
  return { attach, cues, isBroken }
}
