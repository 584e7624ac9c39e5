import { createDeviceStore } from '../../state/device/device-store.ts'

/** The smallest and the largest size of a gallery tile, and the step between two widths, in CSS pixels. */
export const tileSizes = { min: 120, max: 320, step: 20 } as const

/** All sizes that the user can choose. */
export const tileChoices = Array.from(
  { length: (tileSizes.max - tileSizes.min) / tileSizes.step + 1 },
  (_, at) => String(tileSizes.min + at * tileSizes.step),
)

/** When the names of pictures in the gallery are visible, on this device. Other files always have their names. */
export const tileNames = createDeviceStore<'hover' | 'always'>('tile-names', 'hover', ['hover', 'always'])

/** The height of the rows of a gallery on this device, in CSS pixels, and the smallest width of equal tiles. Both grow until they fill the line. */
export const tileSize = createDeviceStore('tile-size', '200', tileChoices)
