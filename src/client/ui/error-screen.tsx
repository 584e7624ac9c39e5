import { t } from '../i18n/translate.ts'
import { EmptyState } from './empty-state.tsx'
import type { IconName } from './icon-names.ts'
import type { ReactNode } from 'react'

type ErrorScreenProps = {
  /**
   * The HTTP status, or 0 when the server could not be reached. A status without its own error screen is shown as 500.
   */
  readonly status: number
  readonly note?: ReactNode
  /** Buttons with which the user can leave the error screen. */
  readonly children?: ReactNode
}

const screens: Readonly<Record<number, readonly [icon: IconName, text: string]>> = {
  0: ['cloud-off', 'errors.connection'],
  403: ['lock', 'errors.forbidden'],
  404: ['search', 'errors.notFound'],
}

/** Renders the message for a failure and buttons with which the user can continue. */
export function ErrorScreen({ status, note, children }: ErrorScreenProps) {
  const [icon, text] = screens[status] ?? (['alert', 'errors.internal'] as const)
  return (
    <EmptyState icon={icon} text={t(text)} note={note} isHeading>
      {children}
    </EmptyState>
  )
}
