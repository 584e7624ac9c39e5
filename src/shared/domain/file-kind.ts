import type { FileType } from './file-types.ts'
import { isUtf8 } from './utf8.ts'

const byType: Readonly<Partial<Record<FileType, string>>> = {
  image:
    'jpg jpeg jpe jfif png gif webp avif bmp ico svg svgz tif tiff heic heif hif jxl dng cr2 nef arw raf orf rw2 psd',
  video: 'mp4 m4v webm mkv mov avi wmv flv mpg mpeg mpe m1v m2v ogv 3gp 3g2 vob asf divx',
  audio: 'mp3 m4a aac flac wav ogg oga opus weba wma aif aiff aifc mid midi amr ape mka caf au',
  pdf: 'pdf',
  text:
    'txt md markdown rst adoc tex csv tsv log html htm xhtml css scss sass less js mjs cjs jsx tsx vue svelte json json5 jsonl ndjson geojson ' +
    'xml xsl xsd yaml yml toml ini conf cfg cnf env properties desktop service sh bash zsh fish ps1 bat cmd py pyi rb php pl pm lua go rs c h cc ' +
    'cpp cxx hpp hh java kt kts scala swift m cs fs vb dart r jl hs erl ex exs clj lisp el sql graphql proto diff patch srt vtt ass ssa sub ' +
    'ics vcf nfo gitignore gitattributes editorconfig dockerfile makefile cmake gradle lock',
  blob:
    'zip tar gz tgz bz2 xz zst lz4 br 7z rar iso img dmg bin exe dll so dylib o a class jar war apk deb rpm msi wasm pyc ' +
    'doc docx xls xlsx ppt pptx odt ods odp epub mobi azw3 ttf otf woff woff2 eot db sqlite sqlite3 mdb parquet glb stl blend torrent',
}

const typeOfExtension: ReadonlyMap<string, FileType> = new Map(
  Object.entries(byType).flatMap(([type, list]) =>
    list.split(' ').map((extension) => [extension, type as FileType] as const),
  ),
)

/** The maximum size in bytes (10 MiB) of a file that is shown as text (contract 3.4). */
export const maxTextBytes = 10 * 1024 * 1024

/**
 * Returns true for a file that is shown as a text. The server gives texts above `maxTextBytes` the type `blob` (contract
 * 3.4), so their names decide.
 */
export const isTextFile = (name: string, type: string, sizeBytes: number): boolean =>
  type === 'text' ||
  type === 'textImmutable' ||
  (type === 'blob' && sizeBytes > maxTextBytes && typeOfName(name) === 'text')

/**
 * The number of bytes at the beginning of a file from which its type is detected when its name does not determine it.
 */
export const headBytes = 512

/**
 * Returns the type of a file by its name. Null when the type depends on the file's first bytes, for example for `.ts`,
 * `.mts` and `.m2ts`.
 */
export function typeOfName(name: string): FileType | null {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  return typeOfExtension.get(extension) ?? null
}

/**
 * Returns the type of a file by its name, its first bytes (at most `headBytes`) and its size. When the first bytes are
 * not given (null), a file whose name does not determine the type counts as text.
 */
export function typeOfFile(name: string, sizeBytes: number, head: Uint8Array | null): FileType {
  const named = typeOfName(name)
  const type = named ?? (head === null ? 'text' : typeOfHead(name, head))
  return type === 'text' && sizeBytes > maxTextBytes ? 'blob' : type
}

const typeOfHead = (name: string, head: Uint8Array): FileType =>
  sniffType(name, head) ?? (isBinary(head) ? 'blob' : 'text')

/**
 * Detects the type by the first bytes. Recognizes formats that are often stored without an extension, and MPEG
 * transport streams, which share their extension with TypeScript.
 */
function sniffType(name: string, head: Uint8Array): FileType | null {
  if (/\.(ts|mts|m2ts)$/i.test(name) && isTransportStream(head)) return 'video'
  const start = String.fromCharCode(...head.subarray(0, 16))
  if (start.startsWith('%PDF-')) return 'pdf'
  // The RAW files of many cameras begin like a TIFF.
  const format = imageFormatOf(head)
  if (format !== null && format !== 'tiff') return 'image'
  if (/^RIFF[\s\S]{4}WAVE/.test(start) || start.startsWith('ID3') || start.startsWith('fLaC')) return 'audio'
  if (/^[\s\S]{4}ftyp/.test(start) || start.startsWith('\x1aE\xdf\xa3')) return 'video'
  if (start.startsWith('\xff\xfe') || start.startsWith('\xfe\xff')) return 'text'
  return null
}

/** The formats of images that are recognized by their first bytes, whatever the names of the files are. */
export type ImageFormat = 'jpeg' | 'png' | 'gif' | 'webp' | 'tiff' | 'heic' | 'avif'

/** Returns the format of an image by its first bytes, at least 12, or null for another file. */
export function imageFormatOf(head: Uint8Array): ImageFormat | null {
  const start = String.fromCharCode(...head.subarray(0, 12))
  if (start.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (/^GIF8[79]a/.test(start)) return 'gif'
  if (/^RIFF[^]{4}WEBP/.test(start)) return 'webp'
  if (/^(II[*+]\0|MM\0[*+])/.test(start)) return 'tiff'
  return start.startsWith('ftyp', 4) ? formatOfBrands(head, start.slice(8)) : null
}

/**
 * Returns the format of an image by the brands of ISO/IEC 23008-12. Films begin in the same way with other brands. An image with
 * a general brand lists the brand of its coding among the compatible ones.
 */
function formatOfBrands(head: Uint8Array, brand: string): ImageFormat | null {
  if (/^avi[fs]/.test(brand)) return 'avif'
  if (/^(hei[cxms]|hev[cxms])/.test(brand)) return 'heic'
  if (!/^(mif[12]|msf1)/.test(brand)) return null
  const boxBytes = new DataView(head.buffer, head.byteOffset, 4).getUint32(0)
  const compatible = String.fromCharCode(...head.subarray(16, Math.min(boxBytes, 64)))
  return /^(.{4})*avi[fs]/s.test(compatible) ? 'avif' : 'heic'
}

/**
 * True when the sync byte of an MPEG transport stream repeats every 188 bytes, or every 192 bytes in `.m2ts`, where a
 * timestamp precedes each packet. A single sync byte is not sufficient, because a short text may begin with the same
 * byte.
 */
const isTransportStream = (head: Uint8Array): boolean =>
  [
    [0, 188, 376],
    [4, 196, 388],
  ].some((positions) => {
    const positionsInHead = positions.filter((at) => at < head.length)
    return positionsInHead.length > 1 && positionsInHead.every((at) => head[at] === 0x47)
  })

/**
 * True for bytes that contain a code point up to 8. Also true for bytes that contain another control code of binary
 * data and are not valid UTF-8 (contract 3.4).
 */
function isBinary(head: Uint8Array): boolean {
  if (head.some((byte) => byte <= 8)) return true
  return head.some(isBinaryCode) && !isUtf8(head)
}

/**
 * True for control codes that only occur in binary data. Tab, line feed, form feed, carriage return and escape also
 * occur in text.
 */
const isBinaryCode = (byte: number): boolean =>
  byte === 0x0b || (byte >= 0x0e && byte <= 0x1a) || (byte >= 0x1c && byte <= 0x1f)
