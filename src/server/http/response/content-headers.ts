import { AppError } from '../../../shared/domain/failure.ts'
import { contentDisposition } from './content-disposition.ts'
import { everyResponseHeaders } from './headers.ts'
import { mediaTypeOf } from './media-types.ts'

/** The content security policy of all user files except PDF. */
const userPolicy =
  "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; media-src 'self'; frame-ancestors 'self'"
/** The content security policy of PDF files. It does not contain `sandbox`, which would break some PDF viewers. */
const pdfPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

/**
 * The properties of a user's file, or of bytes that are derived from the file, on which the response headers depend.
 */
export type ContentDescription = {
  readonly name: string
  readonly isInline: boolean
  /** The first bytes of the file. They are only used when `isInline` is true. */
  readonly head: Uint8Array
  /** The media type of bytes that the server generated, such as previews. It is also sent for downloads. */
  readonly generatedType?: string | undefined
}

/**
 * Returns the headers for sending a user's file. Every response that contains a user's file must have these headers
 * (security 3.7). Images, audio, video, plain text and PDF are displayed in the origin of the server when the
 * request is inline and both the name and the first bytes indicate this type. The first bytes alone decide between formats of images. All other files are sent as downloads.
 */
export function contentHeaders({
  name,
  isInline,
  head,
  generatedType,
}: ContentDescription): Readonly<Record<string, string>> {
  const media = isInline && generatedType === undefined ? mediaTypeOf(name, head) : null
  const isShown =
    isInline && (generatedType !== undefined || (media !== null && media.contentClass !== 'svg'))
  return {
    ...everyResponseHeaders,
    'cache-control': 'private, no-cache',
    'content-type': generatedType ?? media?.type ?? 'application/octet-stream',
    ...(media?.encoding && { 'content-encoding': media.encoding }),
    'content-disposition': contentDisposition(isShown ? 'inline' : 'attachment', name),
    'content-security-policy': media?.contentClass === 'pdf' ? pdfPolicy : userPolicy,
  }
}

/**
 * Returns the headers for bytes that are generated from a user's files, such as an archive. The bytes are always sent
 * as a download, with their actual media type.
 */
export const generatedContentHeaders = ({
  name,
  contentType,
}: {
  readonly name: string
  readonly contentType: string
}): Readonly<Record<string, string>> => ({
  ...everyResponseHeaders,
  'cache-control': 'private, no-cache',
  'content-type': contentType,
  'content-disposition': contentDisposition('attachment', name),
  'content-security-policy': userPolicy,
})

const codeDestinations = new Set([
  'script',
  'style',
  'worker',
  'sharedworker',
  'serviceworker',
  'audioworklet',
  'paintworklet',
  'xslt',
  'manifest',
])

/** Throws `forbidden` when a browser requests a user's file as code of a page, such as a script or a style sheet. */
export function refuseAsCode(header: (name: string) => string | undefined): void {
  const destination = header('sec-fetch-dest') ?? ''
  if (codeDestinations.has(destination) || header('service-worker') === 'script') {
    throw new AppError('forbidden', { reason: `Sec-Fetch-Dest: ${destination}` })
  }
}
