import { loadFacts } from './load-facts.ts'
import { placeTiles } from './tile-rows.ts'

/** The code that only galleries need. It is loaded with the first one. */
export const galleryParts = { loadFacts, placeTiles }
