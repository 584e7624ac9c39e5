import { t } from '../i18n/translate.ts'
import type { ListedEntry } from '../state/listed-entry.ts'

const idOfType: Readonly<Partial<Record<ListedEntry['type'], string>>> = {
  image: 'kind.image',
  video: 'kind.video',
  audio: 'kind.audio',
  pdf: 'kind.pdf',
  text: 'kind.text',
  textImmutable: 'kind.text',
}

/** Returns the kind of an entry in one or two words, such as *PDF document* or *Broken link*. */
export function kindWord({
  isFolder,
  isBroken,
  isUnreachable,
  isLink,
  type,
}: Pick<ListedEntry, 'isFolder' | 'isBroken' | 'isUnreachable' | 'isLink' | 'type'>): string {
  if (isUnreachable) return t('kind.unreachable')
  if (isBroken) return t('kind.brokenLink')
  if (isLink) return t(isFolder ? 'kind.folderLink' : 'kind.link')
  return t(isFolder ? 'kind.folder' : (idOfType[type] ?? 'kind.file'))
}
