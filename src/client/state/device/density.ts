import { createDeviceStore } from './device-store.ts'
import type { Store } from '../store.ts'

export const densities = ['compact', 'default', 'comfortable'] as const
/** The room that rows of lists have, where the user points with a mouse. */
export type Density = (typeof densities)[number]

/** The density that the user chose on this device. */
export const density: Store<Density> = createDeviceStore<Density>('density', 'default', densities)

/** The height of a row in rem: 28, 36 and 44 px at the usual text size. `tokens.css` has the same heights. */
export const rowHeightRem: Readonly<Record<Density, number>> = {
  compact: 1.75,
  default: 2.25,
  comfortable: 2.75,
}

/** Tells the style sheets which density is chosen, now and whenever it changes. */
export function startDensity(): void {
  const apply = (): void => void (document.documentElement.dataset['density'] = density.get())
  density.subscribe(apply)
  apply()
}
