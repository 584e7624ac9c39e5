import type { PreviewSize } from '../../shared/contract/previews.ts'
import { limits } from '../../shared/domain/limits.ts'

/** What a preview is made as. */
export type PreviewFormat = 'webp' | 'jpeg'

export type Conversion = { readonly size: PreviewSize; readonly format: PreviewFormat }

/**
 * What a process that converts is asked for; the image itself is the frame's body. Above `processBytes` of its own it gives up, and an
 * image of more than `mostPixels` it does not begin with.
 */
export type Order = Conversion & { readonly processBytes: number; readonly mostPixels: number }

/**
 * What it answers. `made`: the preview is the frame's body. `as-is`: better shown as it is (an animation). `without-library`: the image
 * library is not installed or does not run on this machine. `heldBytes` is what the process holds afterwards.
 */
export type Outcome = {
  readonly kind: 'made' | 'as-is' | 'too-large' | 'undecodable' | 'without-library'
  readonly heldBytes: number
}

export const conversionLimits = {
  /** A file that is sent to a process lies in its memory. */
  sourceBytes: 100 * 1024 * 1024,
  processBytes: 256 * 1024 * 1024,
  timeMs: 30_000,
  /** Conversions of one person that run or wait for a process; more of them wait before that. */
  atOncePerPerson: limits.previewsAtOnce,
} as const
