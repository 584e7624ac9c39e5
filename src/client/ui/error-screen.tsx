import { t } from '../i18n/translate.ts'
import { EmptyState } from './empty-state.tsx'
import type { IconName } from './icon-names.ts'
import type { ReactNode } from 'react'

type ErrorScreenProps = {
  /** 0 for no connection; whatever has no screen of its own shows as 500. */
  readonly status: number
  readonly note?: ReactNode
  /** Ways out. */
  readonly children?: ReactNode
}

const screens: Readonly<Record<number, readonly [icon: IconName, text: string]>> = {
  0: ['cloud-off', 'errors.connection'],
  403: ['lock', 'errors.forbidden'],
  404: ['search', 'errors.notFound'],
}

/** The sentence of a failure, and the ways on from it. */
export function ErrorScreen({ status, note, children }: ErrorScreenProps) {
  const [icon, text] = screens[status] ?? (['alert', 'errors.internal'] as const)
  return (
    <EmptyState icon={icon} text={t(text)} note={note} isHeading>
      {children}
    </EmptyState>
  )
}
