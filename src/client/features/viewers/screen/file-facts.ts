import { formatDate, formatSize } from '../../../i18n/format.ts'
import { t } from '../../../i18n/translate.ts'
import type { ViewedFile } from '../viewer.ts'
import type { Siblings } from './siblings.ts'

/** The size and the time of the version of a file that is on the server now. */
export type ShownVersion = Pick<ViewedFile, 'sizeBytes' | 'modifiedMs'>

/**
 * Returns what is said about an open file below its name. `takenMs` is the time at which a photo was taken, or null. On a narrow screen, the
 * end is cut.
 */
export const fileFactTexts = (
  { position, total }: Siblings,
  { sizeBytes, modifiedMs }: ShownVersion,
  takenMs: number | null,
): string[] => [
  ...(position > 0 ? [t('viewer.position', { position, total })] : []),
  ...(takenMs === null ? [] : [t('viewer.taken', { date: formatDate(takenMs) })]),
  formatSize(sizeBytes),
  ...(takenMs === null ? [formatDate(modifiedMs)] : []),
]
