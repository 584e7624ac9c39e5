import { Type } from 'typebox'
import type { ErrorCode } from '../../domain/failure.ts'
import type { NamedHeader } from '../endpoint.ts'

/** Bytes as they are: JSON Schema has no more to say of them. */
export const bytes = Type.String({ format: 'binary' })

/** What the answers that carry a file's bytes have in common: parts of it, and conditions (RFC 9110). */
export const fileAnswer: {
  readonly succeeds: readonly number[]
  readonly takes: readonly NamedHeader[]
  readonly tells: readonly NamedHeader[]
  readonly fails: readonly ErrorCode[]
} = {
  succeeds: [200, 206, 304],
  takes: [
    { name: 'Range', says: 'Parts of the file, as `bytes=0-99`' },
    { name: 'If-Range', says: 'The tag or the time at which the parts still count' },
    { name: 'If-Match', says: 'Tags, of which the file has one; otherwise 412' },
    { name: 'If-None-Match', says: 'Tags of what is here already; 304 when it is still that' },
    { name: 'If-Modified-Since', says: 'A time; 304 when the file is no newer' },
    { name: 'If-Unmodified-Since', says: 'A time; 412 when the file is newer' },
  ],
  tells: [
    { name: 'ETag', says: 'The tag of these bytes; not of an archive' },
    { name: 'Content-Range', says: 'Which part it is, of a single one (206)' },
  ],
  fails: ['bad-range', 'changed-meanwhile', 'is-a-folder'],
}
