import { logout } from '../../api/session.ts'
import { t } from '../../i18n/translate.ts'
import { uploads } from '../../operations/uploads.ts'
import { unfinishedFiles } from '../../state/personal.ts'
import { closePrompt } from '../../state/prompt.ts'
import { useStore } from '../../state/store.ts'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Dialog } from '../../ui/dialog.tsx'

/**
 * Asks for confirmation before a logout that would cancel uploads. The displayed number of uploads is updated while the
 * prompt is open.
 */
export function LogoutPrompt() {
  useStore(uploads.summary)
  return (
    <Dialog
      title={t('prompt.logout.title')}
      onClose={closePrompt}
      onSubmit={() => {
        closePrompt()
        void logout()
      }}
      actions={
        <DialogActions kind="danger" focused="cancel" onCancel={closePrompt} cancel={t('buttons.stay')}>
          {t('buttons.logout')}
        </DialogActions>
      }
    >
      <p>{t('prompt.logout.text', { count: unfinishedFiles() })}</p>
    </Dialog>
  )
}
