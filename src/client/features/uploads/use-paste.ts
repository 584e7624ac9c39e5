import { useEffect } from 'react'
import type { Path } from '../../../shared/domain/path.ts'
import { formatDate } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { readDrop } from '../../operations/read-drop.ts'
import { upload } from '../../operations/uploads.ts'
import { prompt } from '../../state/prompt.ts'

/** Uploads pasted files and pictures into a folder. When `folder` is null, pasted files are ignored. */
export function usePaste(folder: Path | null): void {
  useEffect(() => {
    if (folder === null) return undefined
    const onPaste = (event: ClipboardEvent): void => {
      const { clipboardData, target } = event
      if (!clipboardData || clipboardData.files.length === 0 || prompt.get().kind !== 'none') return
      if (target instanceof Element && target.closest('input, textarea, [contenteditable="true"]')) return
      event.preventDefault()
      const [only] = clipboardData.files
      const isPicture = clipboardData.files.length === 1 && only?.name === 'image.png'
      void upload(
        folder,
        isPicture && only ? [{ names: [pictureName(Date.now())], file: only }] : readDrop(clipboardData),
      )
    }
    addEventListener('paste', onPaste)
    return () => removeEventListener('paste', onPaste)
  }, [folder])
}

/**
 * Returns a name with the current time for a pasted picture, because browsers name every picture from the clipboard
 * `image.png`.
 */
function pictureName(nowMs: number): string {
  const time = formatDate(nowMs)
    .replaceAll(/[/\\:]/g, '-')
    .replaceAll(/\s/g, ' ')
  // A name with direction marks could not be typed again.
  return `${t('uploads.pasted', { time }).replaceAll(/[\u200E\u200F\u061C\u2066-\u2069]/g, '')}.png`
}
