import { t, type PlainMessageId } from '../../i18n/translate.ts'
import { fileIcon } from '../glyphs/file-icon.ts'
import type { GlyphName } from '../glyphs/file-glyphs.ts'
import type { ListedEntry } from '../../state/listed-entry.ts'

const idOfType: Readonly<Partial<Record<ListedEntry['type'], PlainMessageId>>> = {
  image: 'kind.image',
  video: 'kind.video',
  audio: 'kind.audio',
  pdf: 'kind.pdf',
  text: 'kind.text',
  textImmutable: 'kind.text',
}

/** The words for files of which only the name tells the kind, by their glyph. */
const idOfGlyph: Readonly<Partial<Record<GlyphName, PlainMessageId>>> = {
  document: 'kind.document',
  sheet: 'kind.sheet',
  slides: 'kind.slides',
  book: 'kind.book',
  archive: 'kind.archive',
  disk: 'kind.disk',
  font: 'kind.font',
  model: 'kind.model',
  program: 'kind.program',
}

/** Returns the kind of an entry in one or two words, such as *PDF document* or *Broken link*. */
export function kindWord({
  name,
  isFolder,
  isBroken,
  isUnreachable,
  isLink,
  type,
}: Pick<ListedEntry, 'name' | 'isFolder' | 'isBroken' | 'isUnreachable' | 'isLink' | 'type'>): string {
  if (isUnreachable) return t('kind.unreachable')
  if (isBroken) return t('kind.brokenLink')
  if (isLink) return t(isFolder ? 'kind.folderLink' : 'kind.link')
  if (isFolder) return t('kind.folder')
  const isWord = /\.docx?$/i.test(name)
  const idOfName = isWord ? 'kind.word' : idOfGlyph[fileIcon({ name, type, isFolder })]
  return t(idOfType[type] ?? idOfName ?? 'kind.file')
}
