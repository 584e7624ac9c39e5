import { statusOf } from '../../api/call.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { errorHeading } from '../../ui/error-screen.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import styles from './settings-card.module.css'

type CardLoadingProps = {
  readonly isLoaded: boolean
  /** The error of the last attempt to load the content, or null. */
  readonly error: unknown
  readonly onRetry: () => void
}

/** Stands in a card of settings while its content is loaded, and tells the error of a failed attempt, also beside old content. */
export function CardLoading({ isLoaded, error, onRetry }: CardLoadingProps) {
  if (error === null) return isLoaded ? null : <Spinner />
  return (
    <div role="alert" className={styles.unloaded}>
      <p>{errorHeading(statusOf(error))}</p>
      <Button icon="refresh" onClick={onRetry}>
        {t('buttons.retry')}
      </Button>
    </div>
  )
}
