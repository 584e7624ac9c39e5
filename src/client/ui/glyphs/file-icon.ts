import type { GlyphName } from './file-glyphs.ts'

/**
 * The properties of an entry that determine its glyph. `type` has the values of the API (`image`, `textImmutable`, …).
 */
export type FileAppearance = {
  readonly name: string
  readonly type: string
  readonly isFolder: boolean
  readonly isLink?: boolean
  readonly isBroken?: boolean
}

const byGlyph: Readonly<Partial<Record<GlyphName, string>>> = {
  raw: 'dng cr2 cr3 nef arw raf orf rw2',
  pdf: 'pdf',
  document: 'doc docx odt rtf pages tex',
  sheet: 'xls xlsx ods csv tsv numbers parquet',
  slides: 'ppt pptx odp key',
  markdown: 'md markdown rst adoc',
  json: 'json json5 jsonl ndjson geojson yaml yml toml',
  web: 'html htm xhtml url webloc',
  css: 'css scss sass less',
  code:
    'js mjs cjs jsx ts tsx vue svelte py pyi rb php pl pm lua go rs c h cc cpp cxx hpp hh java kt kts scala swift m cs fs vb dart r jl hs erl ' +
    'ex exs clj lisp el graphql proto diff patch xml xsl xsd gradle cmake dockerfile makefile',
  database: 'db sqlite sqlite3 mdb sql',
  archive: 'zip tar gz tgz bz2 tbz xz txz zst lz4 sz br 7z rar',
  disk: 'iso img dmg vhd vhdx vmdk qcow2',
  package: 'deb rpm apk jar war msi pkg whl gem crate flatpak snap',
  font: 'ttf otf woff woff2 eot',
  model: 'glb gltf stl obj fbx blend 3mf ply step',
  book: 'epub mobi azw3 fb2 cbz cbr',
  calendar: 'ics ical vcf',
  key: 'pem crt cer pub asc gpg p12 pfx kdbx',
  program: 'exe bin sh bash zsh fish bat cmd ps1 appimage run so dll dylib wasm',
  log: 'log',
  settings: 'ini conf cfg cnf env properties desktop service lock gitignore gitattributes editorconfig',
  torrent: 'torrent',
  subtitle: 'srt vtt ass ssa sub',
}

const glyphOfExtension: ReadonlyMap<string, GlyphName> = new Map(
  Object.entries(byGlyph).flatMap(([glyph, list]) =>
    list.split(' ').map((extension) => [extension, glyph as GlyphName] as const),
  ),
)

const glyphOfType: Readonly<Record<string, GlyphName>> = {
  image: 'image',
  video: 'video',
  audio: 'audio',
  pdf: 'pdf',
  text: 'text',
  textImmutable: 'text',
  invalid_link: 'link-broken',
}

/**
 * Returns the glyph of an entry. The properties folder and broken link take precedence over the extension of the name.
 */
export function fileIcon({ name, type, isFolder, isBroken = false }: FileAppearance): GlyphName {
  if (isBroken) return 'link-broken'
  if (isFolder) return 'folder'
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  const named = glyphOfExtension.get(extension)
  if (type === 'image' && named !== 'raw') return 'image'
  if (type === 'video' || type === 'audio') return type
  return named ?? glyphOfType[type] ?? 'unknown'
}

/**
 * Returns the letters that are drawn on the glyph of an unknown kind of file: its extension, or an empty string when
 * the extension is missing or too long.
 */
export function badgeOf(name: string): string {
  const at = name.lastIndexOf('.')
  const extension = at > 0 ? name.slice(at + 1) : ''
  return /^[a-z0-9]{1,4}$/i.test(extension) ? extension.toUpperCase() : ''
}
