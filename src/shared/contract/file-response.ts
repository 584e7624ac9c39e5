import { Type } from 'typebox'
import type { ErrorCode } from '../domain/failure.ts'
import type { HeaderDeclaration } from './endpoint.ts'

/** The schema of raw bytes, which JSON Schema cannot describe further. */
export const bytes = Type.String({ format: 'binary' })

/**
 * The declarations that all endpoints which respond with the bytes of a file have in common: ranges and preconditions
 * (RFC 9110).
 */
export const fileResponse: {
  readonly successStatuses: readonly number[]
  readonly requestHeaders: readonly HeaderDeclaration[]
  readonly responseHeaders: readonly HeaderDeclaration[]
  readonly failures: readonly ErrorCode[]
} = {
  successStatuses: [200, 206, 304],
  requestHeaders: [
    { name: 'Range', description: 'The requested parts of the file, such as `bytes=0-99`' },
    {
      name: 'If-Range',
      description: 'The tag or the time of the version from which the parts are requested',
    },
    { name: 'If-Match', description: 'Tags, one of which the file must have; otherwise 412' },
    { name: 'If-None-Match', description: 'Tags of cached versions; 304 when the file is still one of them' },
    { name: 'If-Modified-Since', description: 'A time; 304 when the file has not changed since' },
    { name: 'If-Unmodified-Since', description: 'A time; 412 when the file has changed since' },
  ],
  responseHeaders: [
    { name: 'ETag', description: 'The tag of the file; archives have none' },
    { name: 'Content-Range', description: 'The range of a single part (206)' },
  ],
  failures: ['bad-range', 'changed-meanwhile', 'is-a-folder'],
}

/** The response to `remux=codecs`: what a media file contains. */
export type MediaFacts = {
  /** The duration in seconds. 0 when it is unknown. */
  readonly duration: number
  /** The names that ffmpeg has for the codecs of the first video and of the first audio stream. Null without one. */
  readonly video: string | null
  readonly audio: string | null
}

/** The declarations that both endpoints have in common which can present a media file in a container that browsers play. */
export const remuxResponse: {
  readonly responseHeaders: readonly HeaderDeclaration[]
  readonly failures: readonly ErrorCode[]
} = {
  responseHeaders: [
    { name: 'X-Content-Duration', description: 'With `remux`: the duration of the whole file in seconds' },
  ],
  failures: ['too-large', 'undecodable', 'unsupported', 'timeout'],
}
