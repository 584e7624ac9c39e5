import { useEffect, useRef } from 'react'
import { X } from 'lucide'
import { t } from '../../i18n/translate.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { visibleName } from '../../ui/visible-name.ts'

type DismissButtonProps = {
  readonly name: string
  /** The time for which the button ignores clicks after it has appeared, in milliseconds. */
  readonly ignoredMs: number
  readonly onDismiss: () => void
}

/** The time for which a button that has come to the place of *Cancel* ignores clicks, in milliseconds. */
export const doubleClickMs = 500

/** Removes a row from the list. The second click of a double click on *Cancel*, which was here before, does nothing. */
export function DismissButton({ name, ignoredMs, onDismiss }: DismissButtonProps) {
  const shownMs = useRef(0)
  useEffect(() => {
    shownMs.current = performance.now()
  }, [])
  return (
    <IconButton
      icon={X}
      label={t('uploads.dismissOne', { name: visibleName(name) })}
      onClick={({ detail, timeStamp }) => {
        if (detail === 0 || timeStamp - shownMs.current >= ignoredMs) onDismiss()
      }}
    />
  )
}
