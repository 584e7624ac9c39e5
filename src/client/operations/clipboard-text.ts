import { t } from '../i18n/translate.ts'
import type { ClipboardContent } from '../state/clipboard.ts'

/** Describes the content of the clipboard in words. A single entry is named. */
export const clipboardText = ({ verb, entries }: ClipboardContent): string =>
  t(`clipboard.${verb}`, { count: entries.length, name: entries[0]?.name ?? '' })
