import { createDeviceStore } from '../../../state/device/device-store.ts'

/** The repeat modes: nothing, all audio files of the folder, or the open file. */
const repeatModes = ['off', 'all', 'one'] as const
export type RepeatMode = (typeof repeatModes)[number]

/** The repeat mode of this device. */
export const repeatMode = createDeviceStore<RepeatMode>('repeat', 'off', repeatModes)

/** Switches to the next repeat mode. */
export const stepRepeatMode = (): void =>
  repeatMode.set((now) => repeatModes[(repeatModes.indexOf(now) + 1) % repeatModes.length] ?? 'off')

/** `off`, or the number from which the random order of this device is made. */
export const shuffle = createDeviceStore<string>('shuffle', 'off', (text) => /^(off|\d{1,9})$/.test(text))

/** Switches the random order on or off. Each switch to the random order shuffles the files again. */
export const toggleShuffle = (): void =>
  shuffle.set((now) => (now === 'off' ? String(Math.floor(Math.random() * 1e9)) : 'off'))

export type PlayChoices = { readonly repeat: RepeatMode; readonly shuffled: string }

/**
 * Returns the file that is one step before or after the open one in the order of playing. Returns undefined at either
 * end of the folder, unless all files are repeated or the order is random: a random order wraps around.
 */
export function fileAfter<T extends { readonly name: string; readonly isOpen: boolean }>(
  files: readonly T[],
  by: 1 | -1,
  { repeat, shuffled }: PlayChoices,
): T | undefined {
  const isShuffled = shuffled !== 'off'
  const order = isShuffled
    ? files
        .map((file) => ({ file, rank: rankOf(shuffled, file.name) }))
        .sort((a, b) => a.rank - b.rank)
        .map(({ file }) => file)
    : files
  const own = order.findIndex(({ isOpen }) => isOpen)
  if (own === -1) return undefined
  const isCircle = isShuffled || repeat === 'all'
  return order[isCircle ? (own + by + order.length) % order.length : own + by]
}

/** Returns a pseudo-random number that is always the same for the same texts (FNV-1a with 32 bits). */
function rankOf(seed: string, name: string): number {
  let hash = 0x811c9dc5
  for (const sign of `${seed} ${name} ${seed}`)
    hash = Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}
