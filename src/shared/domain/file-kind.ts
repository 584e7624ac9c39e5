import { isUtf8 } from './utf8.ts'

/** The words of `type` on the wire (contract 3.4); `''` for folders. An index into this list travels in listing columns. */
export const fileTypes = [
  '',
  'image',
  'video',
  'audio',
  'pdf',
  'text',
  'textImmutable',
  'blob',
  'invalid_link',
] as const
export type FileType = (typeof fileTypes)[number]

const byType: Readonly<Partial<Record<FileType, string>>> = {
  image:
    'jpg jpeg jpe jfif png gif webp avif bmp ico svg svgz tif tiff heic heif jxl dng cr2 nef arw raf orf rw2 psd',
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

/** The largest file that is still shown as text (contract 3.4). */
export const mostTextBytes = 10 * 1024 * 1024

/** How many first bytes decide where the name does not. */
export const headBytes = 512

/** The type that a file's name tells, or null when only its first bytes can. `.ts`, `.mts` and `.m2ts` are among those. */
export function typeOfName(name: string): FileType | null {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  return typeOfExtension.get(extension) ?? null
}

/** The type of a file by name, first bytes (at most `headBytes`) and size. Unread (null), what the name does not tell is text. */
export function typeOfFile(name: string, sizeBytes: number, head: Uint8Array | null): FileType {
  const named = typeOfName(name)
  const type = named ?? (head === null ? 'text' : typeOfHead(name, head))
  return type === 'text' && sizeBytes > mostTextBytes ? 'blob' : type
}

const typeOfHead = (name: string, head: Uint8Array): FileType =>
  sniffed(name, head) ?? (isBinary(head) ? 'blob' : 'text')

/** Signatures of what often comes without an extension, and MPEG transport streams, which share theirs with TypeScript. */
function sniffed(name: string, head: Uint8Array): FileType | null {
  if (/\.(ts|mts|m2ts)$/i.test(name) && isTransportStream(head)) return 'video'
  const start = String.fromCharCode(...head.subarray(0, 16))
  if (start.startsWith('%PDF-')) return 'pdf'
  if (start.startsWith('\x89PNG\r\n\x1a\n') || start.startsWith('\xff\xd8\xff') || /^GIF8[79]a/.test(start))
    return 'image'
  if (/^RIFF[\s\S]{4}WEBP/.test(start)) return 'image'
  if (/^RIFF[\s\S]{4}WAVE/.test(start) || start.startsWith('ID3') || start.startsWith('fLaC')) return 'audio'
  if (/^[\s\S]{4}ftyp/.test(start) || start.startsWith('\x1aE\xdf\xa3')) return 'video'
  if (start.startsWith('\xff\xfe') || start.startsWith('\xfe\xff')) return 'text'
  return null
}

/** Packets begin at these places, or in `.m2ts` behind a time each. One alone is no proof: so may any short text begin. */
const isTransportStream = (head: Uint8Array): boolean =>
  [
    [0, 188, 376],
    [4, 196, 388],
  ].some((places) => {
    const seen = places.filter((at) => at < head.length)
    return seen.length > 1 && seen.every((at) => head[at] === 0x47)
  })

/** Holds a code point up to 8; or another code that no text has, where the bytes are not UTF-8 either (contract 3.4). */
function isBinary(head: Uint8Array): boolean {
  if (head.some((byte) => byte <= 8)) return true
  return head.some(isBinaryCode) && !isUtf8(head)
}

/** Control codes that content sniffing knows from binary data only: not tabs, ends of lines and pages, nor escape. */
const isBinaryCode = (byte: number): boolean =>
  byte === 0x0b || (byte >= 0x0e && byte <= 0x1a) || (byte >= 0x1c && byte <= 0x1f)
