import type { Listing } from '../grid/listing.ts'
import type { Proportions } from '../taken/taken-times.ts'
import type { galleryParts } from './gallery-parts.ts'
import type { PlacingMode, TileLayout } from './tile-layout.ts'

/** The layout of a gallery whose tiles are equal squares. */
export const evenTiles: TileLayout = { layOut: (even) => even }

type GalleryParts = typeof galleryParts

let parts: GalleryParts | null = null

export const areGalleryPartsLoaded = (): boolean => parts !== null

/** Loads the code of galleries. Returns null when it cannot be loaded, for example after the connection was lost. Tiles are squares then. */
export async function loadGalleryParts(): Promise<GalleryParts | null> {
  parts ??= await import('./gallery-parts.ts').then(
    (module) => module.galleryParts,
    () => null,
  )
  return parts
}

/** Lays out a gallery as `placeTiles` does. Without the code, tiles are squares. */
export function showTiles(listing: Listing, proportions: Proportions, mode: PlacingMode): void {
  if (parts === null) listing.tiles.set(evenTiles)
  else parts.placeTiles(listing, proportions, mode)
}

/** Lays out tiles that are not visible yet. */
export function showHeldTiles(listing: Listing, proportions: Proportions): void {
  if (listing.tiles.get() === null) showTiles(listing, proportions, 'in place')
}
