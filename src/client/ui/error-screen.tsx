import { t, type PlainMessageId } from '../i18n/translate.ts'
import { updatedStatus } from '../state/parts/part-load-error.ts'
import { Button, type ButtonProps } from './button.tsx'
import { EmptyState } from './empty-state.tsx'
import type { IconDrawing } from './icon.tsx'
import type { ReactNode } from 'react'
import { CircleAlert, CloudOff, Lock, RefreshCw, Search } from 'lucide'

type ErrorScreenProps = {
  /**
   * The HTTP status, 0 when the server could not be reached, or `updatedStatus`. A status without its own error screen is shown
   * as 500.
   */
  readonly status: number
  /** A sentence that replaces those for the status. */
  readonly heading?: string | undefined
  /** A sentence about the error that is more exact than the status. */
  readonly note?: string | undefined
  /** The id under which the log of the server has the details. */
  readonly requestId?: string | undefined
  /** Tries again. Without it there is no button for that. */
  readonly onRetry?: (() => void) | undefined
  /** Buttons with which the user can leave the error screen. */
  readonly children?: ReactNode
}

/** The icon, the sentence of the specification, and the sentence about what happened and what to do next. */
const screens: Readonly<
  Record<number, readonly [icon: IconDrawing, text: PlainMessageId, next: PlainMessageId]>
> = {
  0: [CloudOff, 'errors.connection', 'errors.connection.next'],
  [updatedStatus]: [RefreshCw, 'errors.updated', 'errors.updated.next'],
  403: [Lock, 'errors.forbidden', 'errors.forbidden.next'],
  404: [Search, 'errors.notFound', 'errors.notFound.next'],
  503: [CircleAlert, 'errors.internal', 'errors.unavailable.next'],
  504: [CircleAlert, 'errors.internal', 'errors.unavailable.next'],
}

const screenOf = (status: number) =>
  screens[status] ?? ([CircleAlert, 'errors.internal', 'errors.internal.next'] as const)

/** Returns the heading of the error screen for a status. */
export const errorHeading = (status: number): string => t(screenOf(status)[1])

/** Renders the message for a failure and buttons with which the user can continue. */
export function ErrorScreen({ status, heading, note, requestId, onRetry, children }: ErrorScreenProps) {
  // The caches that the compiler adds save work only in components that are rendered often, and are as large as the rest of this file.
  'use no memo'
  const [icon, text, next] = screenOf(status)
  return (
    <EmptyState
      icon={icon}
      text={heading ?? t(text)}
      note={
        heading === undefined && (
          <>
            {note ?? t(next)}
            {requestId !== undefined && <small>{t('errors.requestId', { id: requestId })}</small>}
          </>
        )
      }
      isHeading
    >
      {onRetry && <RetryButton status={status} onRetry={onRetry} />}
      {children}
    </EmptyState>
  )
}

type RetryButtonProps = {
  readonly kind?: ButtonProps['kind']
  readonly status: number
  readonly onRetry: () => void
}

/** Renders the button that tries again. After an update of the server it reloads the page, since nothing else can succeed. */
export function RetryButton({ status, kind = 'primary', onRetry }: RetryButtonProps) {
  'use no memo'
  const isUpdated = status === updatedStatus
  return (
    <Button kind={kind} icon={RefreshCw} onClick={isUpdated ? reload : onRetry}>
      {t(isUpdated ? 'buttons.reload' : 'buttons.retry')}
    </Button>
  )
}

/** Reloads the page. After code has failed to load, some browsers do not request it again until the page is reloaded. */
export const reload = (): void => location.reload()
