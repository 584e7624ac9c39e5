import { t } from '../../i18n/translate.ts'
import type { GlyphName } from '../glyphs/file-glyphs.ts'
import { badgeOf, fileIcon } from '../glyphs/file-icon.ts'
import { kindWord } from './kind-word.ts'

/** The names of formats that differ from the extension in capital letters: each name with its extensions. */
const names =
  'JPEG jpg jpe jfif|TIFF tif|HEIC heif hif|WebP webp|MPEG mpg mpe|WebM webm|Opus opus|MIDI mid|LaTeX tex|Pages pages|Excel xls xlsx|Numbers numbers|' +
  'PowerPoint ppt pptx|Keynote key|Markdown md|HTML htm xhtml|Zip zip|Gzip gz|Bzip2 bz2|Zstandard zst|Tar tar tgz tbz txz|7z 7z|YAML yml yaml|JavaScript js mjs cjs|' +
  'Python py|Ruby rb|Rust rs|Go go|C++ cpp cxx cc hpp|C# cs|Java java|Kotlin kt|Perl pl|Swift swift|Sass scss sass|Vue vue|SQLite db sqlite|Torrent torrent'

const nameOfExtension: ReadonlyMap<string, string> = new Map(
  names.split('|').flatMap((line) => {
    const [name = '', ...extensions] = line.split(' ')
    return extensions.map((extension) => [extension, name] as const)
  }),
)

type FormatKind = 'image' | 'video' | 'audio' | 'document' | 'sheet' | 'slides' | 'archive' | 'file'

/** The kinds of files whose word contains their format. Files with another glyph are of the kind `file`. */
const kindOfGlyph: Readonly<Partial<Record<GlyphName, FormatKind | null>>> = {
  image: 'image',
  raw: 'image',
  video: 'video',
  audio: 'audio',
  document: 'document',
  markdown: 'document',
  web: 'document',
  sheet: 'sheet',
  slides: 'slides',
  archive: 'archive',
  pdf: null,
  book: null,
  disk: null,
  font: null,
  model: null,
  program: null,
  text: null,
  log: null,
}

/** Documents of Word and of LibreOffice, whose general word says more than their extension. */
const generalNames = /\.(docx?|od[tsp])$/i

/**
 * Returns the kind of an entry with the format of a file, such as *JPEG picture* or *Zip archive*. Where the format says no more,
 * returns the general word of `kindWord`.
 */
export function formatWord(entry: Parameters<typeof kindWord>[0]): string {
  const { name, isFolder, isBroken, isUnreachable, isLink } = entry
  const kind = kindOfGlyph[fileIcon(entry)]
  if (isFolder || isBroken || isUnreachable || isLink || kind === null || generalNames.test(name))
    return kindWord(entry)
  const format = formatOf(name)
  return format === '' ? kindWord(entry) : t(`kind.format.${kind ?? 'file'}`, { format })
}

/** Returns the name of a file's format: mostly its extension. Empty when the extension is no usual one, such as a year. */
function formatOf(name: string): string {
  const badge = badgeOf(name)
  return nameOfExtension.get(badge.toLowerCase()) ?? (/[A-Z]/.test(badge) ? badge : '')
}
