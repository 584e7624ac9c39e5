import { createDeviceStore } from '../../../state/device/device-store.ts'
import { createPersonalStore } from '../../../state/personal.ts'

/** The volume of all players on this device from 0 to 1, as the string that the browser's storage keeps. */
export const soundVolume = createDeviceStore<string>('volume', '1', (text) =>
  /^(0(\.\d{1,2})?|1)$/.test(text),
)

export const muted = createDeviceStore<'on' | 'off'>('muted', 'off', ['on', 'off'])

/**
 * The subtitles that are shown: `first` shows the first subtitles of each video, `off` shows none, and any other value
 * is a language, for which the first subtitles are the replacement.
 */
export const subtitleChoice = createDeviceStore<string>('subtitles', 'first', (text) => text.length <= 35)

/** The speed of all players. It is 1 again after the page was reloaded. */
export const playbackSpeed = createPersonalStore(1)

/** The speeds that the menu offers. */
export const speeds = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 3, 4] as const

/** Sets the volume to the nearest of 101 steps. A volume above 0 can be heard, so the sound is switched on. */
export function setVolume(volume: number): void {
  soundVolume.set(String(Math.round(Math.min(1, Math.max(0, volume)) * 100) / 100))
  if (volume > 0) muted.set('off')
}

/** Switches the sound on or off. A volume of 0 cannot be heard, so it is replaced by half of the full volume. */
export function toggleSound(): void {
  const isSilent = muted.get() === 'on' || soundVolume.get() === '0'
  if (isSilent && soundVolume.get() === '0') soundVolume.set('0.5')
  muted.set(isSilent ? 'off' : 'on')
}

/** Goes to the next higher or lower speed of the menu. */
export const stepSpeed = (by: 1 | -1): void =>
  playbackSpeed.set(
    (now) =>
      (by === 1 ? speeds.find((speed) => speed > now) : speeds.findLast((speed) => speed < now)) ?? now,
  )
