import { isUtf8 } from '../../../shared/domain/utf8.ts'

/** How a person's bytes may be shown on our own origin (security design 3.7). */
export type ContentClass = 'shown' | 'svg' | 'pdf' | 'opaque'

/** A media type together with what its first bytes must be. */
export type MediaType = {
  readonly contentClass: ContentClass
  readonly type: string
  readonly isSigned: (head: Uint8Array) => boolean
}

const latin = (head: Uint8Array, from = 0, length = 16): string =>
  String.fromCharCode(...head.subarray(from, from + length))

/** First bytes as text against a pattern, one character a byte. */
const signed =
  (pattern: RegExp) =>
  (head: Uint8Array): boolean =>
    pattern.test(latin(head))

const ftyp = signed(/^[^]{4}(ftyp|moov|mdat|wide|free|skip)/)
const ebml = signed(/^\x1aE\xdf\xa3/)
const ogg = signed(/^OggS/)
const riff = (form: string) => signed(new RegExp(`^RIFF[^]{4}${form}`))
const mpegAudio = signed(/^(ID3|\xff[\xe0-\xff])/)
const mpegVideo = signed(/^\0\0\x01[\xb0-\xbf]/)

type Shown = readonly [extensions: string, type: string, isSigned: (head: Uint8Array) => boolean]

const shown: readonly Shown[] = [
  ['png', 'image/png', signed(/^\x89PNG\r\n\x1a\n/)],
  ['jpg jpeg jpe jfif', 'image/jpeg', signed(/^\xff\xd8\xff/)],
  ['gif', 'image/gif', signed(/^GIF8[79]a/)],
  ['webp', 'image/webp', riff('WEBP')],
  ['avif', 'image/avif', signed(/^[^]{4}ftyp/)],
  ['heic heif', 'image/heic', signed(/^[^]{4}ftyp/)],
  ['jxl', 'image/jxl', signed(/^(\xff\x0a|\0\0\0\x0cJXL )/)],
  ['bmp', 'image/bmp', signed(/^BM/)],
  ['ico', 'image/x-icon', signed(/^\0\0\x01\0/)],
  ['tif tiff', 'image/tiff', signed(/^(II\*\0|MM\0\*)/)],
  ['mp4 m4v', 'video/mp4', ftyp],
  ['mov', 'video/quicktime', ftyp],
  ['3gp', 'video/3gpp', ftyp],
  ['webm', 'video/webm', ebml],
  ['mkv', 'video/x-matroska', ebml],
  ['ogv', 'video/ogg', ogg],
  ['avi', 'video/x-msvideo', riff('AVI ')],
  ['mpg mpeg mpe m1v m2v', 'video/mpeg', mpegVideo],
  ['mp3', 'audio/mpeg', mpegAudio],
  ['aac', 'audio/aac', signed(/^(\xff[\xf0-\xff]|ID3|ADIF)/)],
  ['m4a', 'audio/mp4', ftyp],
  ['ogg oga opus', 'audio/ogg', ogg],
  ['flac', 'audio/flac', signed(/^(fLaC|ID3)/)],
  ['wav', 'audio/wav', riff('WAVE')],
  ['weba', 'audio/webm', ebml],
  ['mka', 'audio/x-matroska', ebml],
  ['aif aiff aifc', 'audio/aiff', signed(/^FORM/)],
  ['mid midi', 'audio/midi', signed(/^MThd/)],
]

const svg: MediaType = {
  contentClass: 'svg',
  type: 'image/svg+xml',
  isSigned: (head) => /<svg[\s>:]/i.test(latin(head, 0, 1024)),
}
const pdf: MediaType = {
  contentClass: 'pdf',
  type: 'application/pdf',
  isSigned: (head) => latin(head, 0, 1024).includes('%PDF-'),
}
const vtt: MediaType = {
  contentClass: 'shown',
  type: 'text/vtt; charset=utf-8',
  isSigned: signed(/^(\xef\xbb\xbf)?WEBVTT/),
}

/** Names whose content is shown as plain text. Scripts, pages and XML are not among them. */
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
  ...shown.flatMap(([extensions, type, isSigned]) =>
    extensions.split(' ').map((name) => [name, { contentClass: 'shown', type, isSigned } as const] as const),
  ),
])

/** How many first bytes `mediaTypeOf` looks at. */
export const signatureBytes = 1024

/** The type of a file that may be shown, by its extension **and** its first bytes; null for all the rest. */
export function mediaTypeOf(
  name: string,
  head: Uint8Array,
): { readonly contentClass: Exclude<ContentClass, 'opaque'>; readonly type: string } | null {
  if (!name.includes('.')) return null
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  const named = byExtension.get(extension)
  if (named !== undefined) {
    return named.isSigned(head) && named.contentClass !== 'opaque'
      ? { contentClass: named.contentClass, type: named.type }
      : null
  }
  if (!plainText.has(extension)) return null
  const charset = charsetOf(head)
  return charset === null ? null : { contentClass: 'shown', type: `text/plain${charset}` }
}

/** By its mark, as UTF-8, or left for the browser to guess; null for what is no text. */
function charsetOf(head: Uint8Array): string | null {
  if (/^(\xff\xfe|\xfe\xff)/.test(latin(head))) return '; charset=utf-16'
  if (head.some((byte) => byte <= 8)) return null
  return isUtf8(head) ? '; charset=utf-8' : ''
}
