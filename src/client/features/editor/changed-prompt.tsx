import { useState } from 'react'
import type { Path } from '../../../shared/domain/path.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Dialog, focusFirst } from '../../ui/dialog.tsx'
import { visibleName } from '../../ui/visible-name.ts'
import { ViewerLoading } from '../viewers/frame/viewer-loading.tsx'
import { lazyPart } from '../../state/parts/lazy-part.ts'
import { PartBoundary } from './part-boundary.tsx'

const Comparison = lazyPart(async () => (await import('./comparison.tsx')).Comparison, ViewerLoading)

type ChangedPromptProps = {
  readonly name: string
  readonly path: Path
  /** Returns the text of the user. */
  readonly ownText: () => string
  readonly onCancel: () => void
  readonly onOverwrite: () => void
  readonly onReload: () => void
  readonly onSaveCopy: () => void
}

/** Asks what to do when somebody else has saved the file since it was read. The two versions can be compared. */
export function ChangedPrompt({
  name,
  path,
  ownText,
  onCancel,
  onOverwrite,
  onReload,
  onSaveCopy,
}: ChangedPromptProps) {
  const [compared, setCompared] = useState<string | null>(null)
  return (
    <Dialog
      title={t('editor.changed.title')}
      isAlert
      width="wide"
      onClose={onCancel}
      onSubmit={onSaveCopy}
      actions={
        <>
          <Button onClick={onCancel}>{t('buttons.cancel')}</Button>
          {compared === null && (
            <Button onClick={() => setCompared(ownText())}>{t('editor.changed.compare')}</Button>
          )}
          <Button onClick={onReload}>{t('editor.changed.reload')}</Button>
          <Button kind="danger" onClick={onOverwrite}>
            {t('editor.changed.overwrite')}
          </Button>
          <Button kind="primary" type="submit" ref={focusFirst}>
            {t('editor.changed.copy')}
          </Button>
        </>
      }
    >
      <p>{t('editor.changed.text', { name: visibleName(name) })}</p>
      {compared !== null && (
        <PartBoundary>
          <Comparison path={path} ownText={compared} />
        </PartBoundary>
      )}
    </Dialog>
  )
}

type RemovedPromptProps = {
  readonly name: string
  readonly onCancel: () => void
  readonly onCreate: () => void
}

/** Asks whether to create a file again that somebody else has deleted since it was read. */
export const RemovedPrompt = ({ name, onCancel, onCreate }: RemovedPromptProps) => (
  <Dialog
    title={t('editor.removed.title')}
    isAlert
    onClose={onCancel}
    onSubmit={onCreate}
    actions={
      <DialogActions focused="submit" onCancel={onCancel}>
        {t('editor.removed.create')}
      </DialogActions>
    }
  >
    <p>{t('editor.removed.text', { name: visibleName(name) })}</p>
  </Dialog>
)
