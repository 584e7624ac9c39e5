import { imageFormatOf, type ImageFormat } from '../../../shared/domain/file-kind.ts'
import { isUtf8 } from '../../../shared/domain/utf8.ts'

/** The way in which a browser may show a user's file on the server's own origin (security 3.7). */
export type ContentClass = 'shown' | 'svg' | 'pdf' | 'opaque'

/** A media type, the way in which browsers may show its files, and a check of a file's first bytes. */
export type MediaType = {
  readonly contentClass: ContentClass
  readonly type: string
  readonly hasSignature: (head: Uint8Array) => boolean
  /** The encoding of the whole file, which the browser decodes. */
  readonly encoding?: 'gzip'
}

const latin1Text = (head: Uint8Array, from = 0, length = 16): string =>
  String.fromCharCode(...head.subarray(from, from + length))

/** Creates a check of a file's first 16 bytes. The pattern is matched against a string with one character per byte. */
const startsWith =
  (pattern: RegExp) =>
  (head: Uint8Array): boolean =>
    pattern.test(latin1Text(head))

const ftyp = startsWith(/^[^]{4}(ftyp|moov|mdat|wide|free|skip)/)
const ebml = startsWith(/^\x1aE\xdf\xa3/)
const ogg = startsWith(/^OggS/)
const riff = (form: string) => startsWith(new RegExp(`^RIFF[^]{4}${form}`))
const mpegAudio = startsWith(/^(ID3|\xff[\xe0-\xff])/)
const mpegVideo = startsWith(/^\0\0\x01[\xb0-\xbf]/)

type MediaTypeRow = readonly [extensions: string, type: string, hasSignature: (head: Uint8Array) => boolean]

const displayedTypes: readonly MediaTypeRow[] = [
  ['png', 'image/png', startsWith(/^\x89PNG\r\n\x1a\n/)],
  ['jpg jpeg jpe jfif', 'image/jpeg', startsWith(/^\xff\xd8\xff/)],
  ['gif', 'image/gif', startsWith(/^GIF8[79]a/)],
  ['webp', 'image/webp', riff('WEBP')],
  ['avif', 'image/avif', startsWith(/^[^]{4}ftyp/)],
  ['heic heif hif', 'image/heic', startsWith(/^[^]{4}ftyp/)],
  ['jxl', 'image/jxl', startsWith(/^(\xff\x0a|\0\0\0\x0cJXL )/)],
  ['bmp', 'image/bmp', startsWith(/^BM/)],
  ['ico', 'image/x-icon', startsWith(/^\0\0\x01\0/)],
  ['tif tiff', 'image/tiff', startsWith(/^(II\*\0|MM\0\*)/)],
  ['mp4 m4v', 'video/mp4', ftyp],
  ['mov', 'video/quicktime', ftyp],
  ['3gp', 'video/3gpp', ftyp],
  ['webm', 'video/webm', ebml],
  ['mkv', 'video/x-matroska', ebml],
  ['ogv', 'video/ogg', ogg],
  ['avi', 'video/x-msvideo', riff('AVI ')],
  ['mpg mpeg mpe m1v m2v', 'video/mpeg', mpegVideo],
  ['mp3', 'audio/mpeg', mpegAudio],
  ['aac', 'audio/aac', startsWith(/^(\xff[\xf0-\xff]|ID3|ADIF)/)],
  ['m4a', 'audio/mp4', ftyp],
  ['ogg oga opus', 'audio/ogg', ogg],
  ['flac', 'audio/flac', startsWith(/^(fLaC|ID3)/)],
  ['wav', 'audio/wav', riff('WAVE')],
  ['weba', 'audio/webm', ebml],
  ['mka', 'audio/x-matroska', ebml],
  ['aif aiff aifc', 'audio/aiff', startsWith(/^FORM/)],
  ['mid midi', 'audio/midi', startsWith(/^MThd/)],
]

const svg: MediaType = {
  contentClass: 'svg',
  type: 'image/svg+xml',
  hasSignature: (head) => /<svg[\s>:]/i.test(latin1Text(head, 0, 1024)),
}
const svgz: MediaType = { ...svg, hasSignature: startsWith(/^\x1f\x8b/), encoding: 'gzip' }
const pdf: MediaType = {
  contentClass: 'pdf',
  type: 'application/pdf',
  hasSignature: (head) => latin1Text(head, 0, 1024).includes('%PDF-'),
}
const vtt: MediaType = {
  contentClass: 'shown',
  type: 'text/vtt; charset=utf-8',
  hasSignature: startsWith(/^(\xef\xbb\xbf)?WEBVTT/),
}

/** The media types of images that are recognized by their content. */
const imageTypes: Readonly<Record<ImageFormat, string>> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  tiff: 'image/tiff',
  heic: 'image/heic',
  avif: 'image/avif',
}

/** The names of images under which images of other formats are found. */
const imageExtensions = new Set(
  'png jpg jpeg jpe jfif gif webp avif heic heif hif jxl bmp tif tiff'.split(' '),
)

/** Returns the media type of an image by its content, when its name is that of an image in any format. */
function imageMediaTypeOf(extension: string, head: Uint8Array): ShownMediaType | null {
  const format = imageExtensions.has(extension) ? imageFormatOf(head) : null
  return format === null ? null : { contentClass: 'shown', type: imageTypes[format] }
}

/** The extensions of files that are shown as plain text. Scripts, HTML and XML are not included. */
const plainText = new Set(
  (
    'txt text log md markdown rst adoc csv tsv ini conf cfg env properties yaml yml toml nfo diff patch srt ass ssa sub lock ' +
    'gitignore gitattributes editorconfig'
  ).split(' '),
)

const byExtension: ReadonlyMap<string, MediaType> = new Map<string, MediaType>([
  ['svg', svg],
  ['svgz', svgz],
  ['pdf', pdf],
  ['vtt', vtt],
  ...displayedTypes.flatMap(([extensions, type, hasSignature]) =>
    extensions
      .split(' ')
      .map((name) => [name, { contentClass: 'shown', type, hasSignature } as const] as const),
  ),
])

type ShownMediaType = Pick<MediaType, 'type' | 'encoding'> & {
  readonly contentClass: Exclude<ContentClass, 'opaque'>
}

/** The number of bytes at the beginning of a file that `mediaTypeOf` needs. */
export const signatureBytes = 1024

/**
 * Returns the media type of a file that may be shown. Both the extension **and** the first bytes must match the type,
 * except that an image may have the name of an image in another format. Returns null for all other files.
 */
export function mediaTypeOf(name: string, head: Uint8Array): ShownMediaType | null {
  if (!name.includes('.')) return null
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  const image = imageMediaTypeOf(extension, head)
  if (image !== null) return image
  const known = byExtension.get(extension)
  if (known !== undefined) {
    return known.hasSignature(head) && known.contentClass !== 'opaque'
      ? {
          contentClass: known.contentClass,
          type: known.type,
          ...(known.encoding && { encoding: known.encoding }),
        }
      : null
  }
  if (!plainText.has(extension)) return null
  const charset = charsetOf(head)
  return charset === null ? null : { contentClass: 'shown', type: `text/plain${charset}` }
}

/**
 * Returns the charset parameter for a text file that has a UTF-16 byte order mark or is valid UTF-8. Returns an empty
 * string when the browser has to detect the charset, and null for bytes that are not text.
 */
function charsetOf(head: Uint8Array): string | null {
  if (/^(\xff\xfe|\xfe\xff)/.test(latin1Text(head))) return '; charset=utf-16'
  if (head.some((byte) => byte <= 8)) return null
  return isUtf8(head) ? '; charset=utf-8' : ''
}
