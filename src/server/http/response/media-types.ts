import { isUtf8 } from '../../../shared/domain/utf8.ts'

/** The way in which a browser may show a user's file on the server's own origin (security design 3.7). */
export type ContentClass = 'shown' | 'svg' | 'pdf' | 'opaque'

/** A media type, the class that determines how its files may be shown, and a test of a file's first bytes. */
export type MediaType = {
  readonly contentClass: ContentClass
  readonly type: string
  readonly hasSignature: (head: Uint8Array) => boolean
}

const latin1Text = (head: Uint8Array, from = 0, length = 16): string =>
  String.fromCharCode(...head.subarray(from, from + length))

/** Creates a test of a file's first 16 bytes, which are matched as text with one character for each byte. */
const startsLike =
  (pattern: RegExp) =>
  (head: Uint8Array): boolean =>
    pattern.test(latin1Text(head))

const ftyp = startsLike(/^[^]{4}(ftyp|moov|mdat|wide|free|skip)/)
const ebml = startsLike(/^\x1aE\xdf\xa3/)
const ogg = startsLike(/^OggS/)
const riff = (form: string) => startsLike(new RegExp(`^RIFF[^]{4}${form}`))
const mpegAudio = startsLike(/^(ID3|\xff[\xe0-\xff])/)
const mpegVideo = startsLike(/^\0\0\x01[\xb0-\xbf]/)

type MediaTypeRow = readonly [extensions: string, type: string, hasSignature: (head: Uint8Array) => boolean]

const shown: readonly MediaTypeRow[] = [
  ['png', 'image/png', startsLike(/^\x89PNG\r\n\x1a\n/)],
  ['jpg jpeg jpe jfif', 'image/jpeg', startsLike(/^\xff\xd8\xff/)],
  ['gif', 'image/gif', startsLike(/^GIF8[79]a/)],
  ['webp', 'image/webp', riff('WEBP')],
  ['avif', 'image/avif', startsLike(/^[^]{4}ftyp/)],
  ['heic heif', 'image/heic', startsLike(/^[^]{4}ftyp/)],
  ['jxl', 'image/jxl', startsLike(/^(\xff\x0a|\0\0\0\x0cJXL )/)],
  ['bmp', 'image/bmp', startsLike(/^BM/)],
  ['ico', 'image/x-icon', startsLike(/^\0\0\x01\0/)],
  ['tif tiff', 'image/tiff', startsLike(/^(II\*\0|MM\0\*)/)],
  ['mp4 m4v', 'video/mp4', ftyp],
  ['mov', 'video/quicktime', ftyp],
  ['3gp', 'video/3gpp', ftyp],
  ['webm', 'video/webm', ebml],
  ['mkv', 'video/x-matroska', ebml],
  ['ogv', 'video/ogg', ogg],
  ['avi', 'video/x-msvideo', riff('AVI ')],
  ['mpg mpeg mpe m1v m2v', 'video/mpeg', mpegVideo],
  ['mp3', 'audio/mpeg', mpegAudio],
  ['aac', 'audio/aac', startsLike(/^(\xff[\xf0-\xff]|ID3|ADIF)/)],
  ['m4a', 'audio/mp4', ftyp],
  ['ogg oga opus', 'audio/ogg', ogg],
  ['flac', 'audio/flac', startsLike(/^(fLaC|ID3)/)],
  ['wav', 'audio/wav', riff('WAVE')],
  ['weba', 'audio/webm', ebml],
  ['mka', 'audio/x-matroska', ebml],
  ['aif aiff aifc', 'audio/aiff', startsLike(/^FORM/)],
  ['mid midi', 'audio/midi', startsLike(/^MThd/)],
]

const svg: MediaType = {
  contentClass: 'svg',
  type: 'image/svg+xml',
  hasSignature: (head) => /<svg[\s>:]/i.test(latin1Text(head, 0, 1024)),
}
const pdf: MediaType = {
  contentClass: 'pdf',
  type: 'application/pdf',
  hasSignature: (head) => latin1Text(head, 0, 1024).includes('%PDF-'),
}
const vtt: MediaType = {
  contentClass: 'shown',
  type: 'text/vtt; charset=utf-8',
  hasSignature: startsLike(/^(\xef\xbb\xbf)?WEBVTT/),
}

/** Extensions whose content is shown as plain text. Scripts, pages and XML are not among them. */
const plainText = new Set(
  (
    'txt text log md markdown rst adoc csv tsv ini conf cfg env properties yaml yml toml nfo diff patch srt ass ssa sub lock ' +
    'gitignore gitattributes editorconfig'
  ).split(' '),
)

const byExtension: ReadonlyMap<string, MediaType> = new Map([
  ['svg', svg],
  ['pdf', pdf],
  ['vtt', vtt],
  ...shown.flatMap(([extensions, type, hasSignature]) =>
    extensions
      .split(' ')
      .map((name) => [name, { contentClass: 'shown', type, hasSignature } as const] as const),
  ),
])

/** The number of bytes at the beginning of a file that `mediaTypeOf` needs. */
export const signatureBytes = 1024

/**
 * Returns the media type of a file that may be shown. Both its extension **and** its first bytes have to match the
 * type. Null for all other files.
 */
export function mediaTypeOf(
  name: string,
  head: Uint8Array,
): { readonly contentClass: Exclude<ContentClass, 'opaque'>; readonly type: string } | null {
  if (!name.includes('.')) return null
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  const named = byExtension.get(extension)
  if (named !== undefined) {
    return named.hasSignature(head) && named.contentClass !== 'opaque'
      ? { contentClass: named.contentClass, type: named.type }
      : null
  }
  if (!plainText.has(extension)) return null
  const charset = charsetOf(head)
  return charset === null ? null : { contentClass: 'shown', type: `text/plain${charset}` }
}

/**
 * Returns the charset parameter for a text, which is known from a byte order mark or because the text is valid UTF-8.
 * Empty when the browser has to guess the charset. Null for bytes that are not text.
 */
function charsetOf(head: Uint8Array): string | null {
  if (/^(\xff\xfe|\xfe\xff)/.test(latin1Text(head))) return '; charset=utf-16'
  if (head.some((byte) => byte <= 8)) return null
  return isUtf8(head) ? '; charset=utf-8' : ''
}
