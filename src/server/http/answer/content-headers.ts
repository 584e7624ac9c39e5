import { AppError } from '../../../shared/domain/failure.ts'
import { contentDisposition } from './content-disposition.ts'
import { everyAnswer } from './headers.ts'
import { mediaTypeOf } from './media-types.ts'

/** For all of a person's bytes but PDF. */
const userPolicy =
  "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; media-src 'self'; frame-ancestors 'self'"
/** For PDF: without `sandbox`, under which some viewers break. */
const pdfPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

export type Content = {
  readonly name: string
  readonly isInline: boolean
  /** The first bytes; they count only for `isInline`. */
  readonly head: Uint8Array
  /** The media type of what we made ourselves, such as previews: it keeps it as a download too. */
  readonly made?: string | undefined
}

/**
 * The headers under which a person's bytes leave, the only place that decides them (security design 3.7): shown on our origin are
 * pictures, sound, film, plain text and PDF, when asked for and when name and first bytes agree; all else is a download.
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

/** The headers of what we make of a person's bytes, an archive say: always a download, under its true type. */
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

/** A person's bytes are never a page's code: `forbidden` to what asks for them as such. */
export function refuseAsCode(header: (name: string) => string | undefined): void {
  const destination = header('sec-fetch-dest') ?? ''
  if (codeDestinations.has(destination) || header('service-worker') === 'script') {
    throw new AppError('forbidden', { reason: `Sec-Fetch-Dest: ${destination}` })
  }
}
