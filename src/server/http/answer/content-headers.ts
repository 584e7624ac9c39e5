import { AppError } from '../../../shared/domain/failure.ts'
import { contentDisposition } from './content-disposition.ts'
import { everyAnswer } from './headers.ts'
import { mediaTypeOf } from './media-types.ts'

/** The content security policy of all user files except PDF. */
const userPolicy =
  "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; media-src 'self'; frame-ancestors 'self'"
/** The content security policy of PDF files, without `sandbox`, under which some PDF viewers break. */
const pdfPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

/** A user's bytes, as far as their headers depend on them. */
export type Content = {
  readonly name: string
  readonly isInline: boolean
  /** The first bytes of the file; they are read for `isInline` only. */
  readonly head: Uint8Array
  /** The media type of bytes that the server produced itself, such as previews. It is kept for downloads too. */
  readonly made?: string | undefined
}

/**
 * Returns the headers under which a user's bytes leave the server; no other function decides them (security design
 * 3.7). Pictures, sound, film, plain text and PDF are shown on our origin when the request asks for that and both the
 * name and the first bytes say so. Everything else is a download.
 */
export function contentHeaders({ name, isInline, head, made }: Content): Readonly<Record<string, string>> {
  const media = isInline && made === undefined ? mediaTypeOf(name, head) : null
  const isShown = isInline && (made !== undefined || (media !== null && media.contentClass !== 'svg'))
  return {
    ...everyAnswer,
    'cache-control': 'private, no-cache',
    'content-type': made ?? media?.type ?? 'application/octet-stream',
    'content-disposition': contentDisposition(isShown ? 'inline' : 'attachment', name),
    'content-security-policy': media?.contentClass === 'pdf' ? pdfPolicy : userPolicy,
  }
}

/**
 * Returns the headers of bytes that are produced from a user's files, such as an archive: always a download, with its
 * true type.
 */
export const madeHeaders = ({
  name,
  contentType,
}: {
  readonly name: string
  readonly contentType: string
}): Readonly<Record<string, string>> => ({
  ...everyAnswer,
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

/** Throws `forbidden` when a browser requests a user's bytes as code of a page, such as a script or a style sheet. */
export function refuseAsCode(header: (name: string) => string | undefined): void {
  const destination = header('sec-fetch-dest') ?? ''
  if (codeDestinations.has(destination) || header('service-worker') === 'script') {
    throw new AppError('forbidden', { reason: `Sec-Fetch-Dest: ${destination}` })
  }
}
