import { t } from '../../i18n/translate.ts'
import type { ListedEntry } from '../../state/listed-entry.ts'

const idOfType: Readonly<Partial<Record<ListedEntry['type'], string>>> = {
  image: 'kind.image',
  video: 'kind.video',
  audio: 'kind.audio',
  pdf: 'kind.pdf',
  text: 'kind.text',
  textImmutable: 'kind.text',
}

/** What an entry is, in a word or two: the glyph for those who do not see it. */
export function kindWord({ isFolder, isBroken, isLink, type }: ListedEntry): string {
  if (isBroken) return t('kind.brokenLink')
  if (isLink) return t(isFolder ? 'kind.folderLink' : 'kind.link')
  return t(isFolder ? 'kind.folder' : (idOfType[type] ?? 'kind.file'))
}
