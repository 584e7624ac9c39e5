import { CloudOff } from 'lucide'
import { Banner } from '../ui/banner.tsx'
import { errorHeading, RetryButton } from '../ui/error-screen.tsx'
import { Fill } from '../ui/slot.tsx'

type PartNoticeProps = { readonly status: number; readonly onRetry: () => void }

/** Says below the screen that code could not be loaded. */
export function PartNotice({ status, onRetry }: PartNoticeProps) {
  // As for the error screen, which is seldom rendered.
  'use no memo'
  return (
    <Fill slot="page-notice">
      <Banner
        kind="warning"
        icon={CloudOff}
        isAlert
        actions={<RetryButton status={status} kind="secondary" onRetry={onRetry} />}
      >
        {errorHeading(status)}
      </Banner>
    </Fill>
  )
}
