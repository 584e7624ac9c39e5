import type { PreviewSize } from '../../shared/contract/previews.ts'
import { limits } from '../../shared/domain/limits.ts'

/** The image format of a preview. */
export type PreviewFormat = 'webp' | 'jpeg'

export type PreviewVariant = {
  readonly size: PreviewSize
  readonly format: PreviewFormat
  /** The part of the picture that a square thumb shows: the upper one, or by default the centre. */
  readonly crop?: 'top'
}

/**
 * A request to a converter process. The body of the frame contains the image. The process reports `too-large` when its
 * memory use exceeds `processBytes`. It also reports `too-large` for an image of more than `maxPixels` pixels, without
 * decoding the image.
 */
export type ConversionRequest = PreviewVariant & { readonly processBytes: number; readonly maxPixels: number }

/**
 * The reply of a converter process. `made`: the preview is the body of the frame. `as-is`: the image should be shown
 * unchanged, because it is an animation. `without-library`: the image library is not installed or does not run on this
 * machine. `memoryBytes` is the memory that the process uses after the conversion.
 */
export type ConversionOutcome = {
  readonly kind: 'made' | 'as-is' | 'too-large' | 'undecodable' | 'without-library'
  readonly memoryBytes: number
}

export const conversionLimits = {
  /**
   * The maximum size in bytes of a source image, with enough memory. The limit is necessary because the process keeps the whole
   * image in memory.
   */
  sourceBytes: 100 * 1024 * 1024,
  /** The time limit in milliseconds of one conversion. */
  timeMs: 30_000,
  /**
   * The maximum number of conversions of one user that run or wait for a process. Further conversions of this user wait
   * until one of these conversions has finished.
   */
  maxConcurrentPerUser: limits.concurrentPreviews,
} as const

/**
 * The options of Node for a converter process where memory is small. They keep its heap small, and the process, which cannot see
 * the limit of the memory in its sandbox, learns from them to read its program page by page.
 */
export const smallMemoryOptions: readonly string[] = ['--max-semi-space-size=1', '--v8-pool-size=1']
