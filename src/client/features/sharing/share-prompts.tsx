import type { ReactNode } from 'react'
import { sentences } from '../../i18n/joined-texts.ts'
import { t } from '../../i18n/translate.ts'
import { reasonOf } from '../../operations/reason.ts'
import { closePrompt, prompt } from '../../state/prompt.ts'
import { useStore } from '../../state/store.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { QueryBoundary } from '../../api/query-boundary.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { DeleteSharePrompt } from './delete-share-prompt.tsx'
import { EditSharePrompt } from './edit-share-prompt.tsx'
import { SharePrompt } from './share-prompt.tsx'

const LoadingDialog = () => (
  <PlainDialog>
    <Spinner /> {t('shell.loading')}
  </PlainDialog>
)

/** Renders the open prompt about links, if there is one. */
export function SharePrompts() {
  const now = useStore(prompt)
  if (now.kind === 'delete-share') return <DeleteSharePrompt hash={now.hash} path={now.path} />
  if (now.kind !== 'share' && now.kind !== 'edit-share') return null
  return (
    <ErrorBoundary
      resetKey={now.kind === 'share' ? now.path : now.link.hash}
      renderFallback={(thrown, retry) => (
        <PlainDialog onRetry={retry}>{sentences(t('share.failed.load'), reasonOf(thrown))}</PlainDialog>
      )}
    >
      <QueryBoundary fallback={<LoadingDialog />}>
        {now.kind === 'share' ? (
          <SharePrompt path={now.path} isFolder={now.isFolder} />
        ) : (
          <EditSharePrompt link={now.link} />
        )}
      </QueryBoundary>
    </ErrorBoundary>
  )
}

type PlainDialogProps = { readonly children: ReactNode; readonly onRetry?: () => void }

/** Renders a dialog in the place of the prompt while its links are loaded, and when they could not be loaded. */
const PlainDialog = ({ children, onRetry }: PlainDialogProps) => (
  <Dialog
    title={t('action.share')}
    width="wide"
    onClose={closePrompt}
    actions={
      <>
        <Button onClick={closePrompt}>{t('buttons.close')}</Button>
        {onRetry && (
          <Button kind="primary" onClick={onRetry}>
            {t('buttons.retry')}
          </Button>
        )}
      </>
    }
  >
    <output>{children}</output>
  </Dialog>
)
