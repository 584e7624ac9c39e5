import type { RefObject } from 'react'
import { letterKeys, signKeys } from '../../../state/device/key-preferences.ts'
import { useKeyScope } from '../../../ui/keyboard/use-key-scope.ts'
import type { FullScreen } from '../frame/full-screen.ts'
import type { Player } from './player.ts'
import { stepSpeed, toggleSound } from './player-preferences.ts'

/** The player, and the other parts of the page that its keys control. */
export type PlayerKeyDependencies = {
  readonly player: Player | null
  readonly frame: RefObject<HTMLElement | null>
  readonly isOff: boolean
  readonly fullScreen?: FullScreen
  readonly onSubtitles?: () => void
}

/** The steps of J and L, and of the comma and the full stop, in seconds. Most videos have at least 24 pictures per second. */
const longStepS = 10
const pictureS = 1 / 24

/**
 * Handles the keys of a player in the whole page: Space and K play and pause, J and L go back and forth, digits go to tenths
 * of the file, comma and full stop to the picture before and after, `<` and `>` change the speed, M switches the sound,
 * F the full screen and C the subtitles. The arrows lead to other files. They move the sliders that have the focus.
 * Outside of the player, users of speech input can switch off the keys that type a punctuation mark.
 */
export function usePlayerKeys(dependencies: PlayerKeyDependencies): void {
  const { player, frame, isOff } = dependencies
  useKeyScope('viewer', (event) => {
    if (player === null || isOff || event.ctrlKey || event.metaKey || event.altKey) return false
    const isInside = event.target instanceof Node && frame.current?.contains(event.target) === true
    if (isSign(event.key) && !isInside && (signKeys.get() === 'off' || isActionKey(event.key))) return false
    if (event.key === ' ' && isPressable(event.target)) return false
    return runKey(dependencies, player, event)
  })
}

/** Returns true for the one key of the player that also runs an action, which moves the open file. A test finds others. */
const isActionKey = (key: string): boolean => key === 'm' && letterKeys.get() === 'on'

const isSign = (key: string): boolean => key.length === 1 && key !== ' '

/** Returns true when the element with the focus uses Space itself. */
const isPressable = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('button, a, summary, [role="button"], [type="checkbox"]') !== null

/** Returns false when the player does not use the key. */
function runKey(
  { fullScreen, onSubtitles }: PlayerKeyDependencies,
  player: Player,
  event: KeyboardEvent,
): boolean {
  const { timeS, durationS } = player.state.get()
  const { key } = event
  if (/^\d$/.test(key)) player.seek((durationS * Number(key)) / 10)
  else if (key === ' ' || key === 'k') player.toggle()
  else if (key === 'j') player.seek(timeS - longStepS)
  else if (key === 'l') player.seek(timeS + longStepS)
  else if (key === ',') player.seek(timeS - pictureS)
  else if (key === '.') player.seek(timeS + pictureS)
  else if (key === '<') stepSpeed(-1)
  else if (key === '>') stepSpeed(1)
  else if (key === 'm') toggleSound()
  else if (fullScreen?.toggle && (key === 'f' || (key === 'Escape' && fullScreen.isOn))) fullScreen.toggle()
  else if (key === 'c' && onSubtitles !== undefined) onSubtitles()
  else return false
  return true
}
