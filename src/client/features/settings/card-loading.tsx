import { RefreshCw } from 'lucide'
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

/** Renders a placeholder while a settings card loads. Shows the error of a failed attempt, also beside old content. */
export function CardLoading({ isLoaded, error, onRetry }: CardLoadingProps) {
  if (error === null) return isLoaded ? null : <Spinner />
  return (
    <div role="alert" className={styles.unloaded}>
      <p>{errorHeading(statusOf(error))}</p>
      <Button icon={RefreshCw} onClick={onRetry}>
        {t('buttons.retry')}
      </Button>
    </div>
  )
}
