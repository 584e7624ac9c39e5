import { logout } from '../../api/session.ts'
import { t } from '../../i18n/translate.ts'
import { uploads } from '../../operations/uploads.ts'
import { unfinishedFiles } from '../../state/personal.ts'
import { closePrompt } from '../../state/prompt.ts'
import { useStore } from '../../state/store.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, focusFirst } from '../../ui/dialog.tsx'

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
        <>
          <Button onClick={closePrompt} ref={focusFirst}>
            {t('buttons.stay')}
          </Button>
          <Button kind="danger" type="submit">
            {t('buttons.logout')}
          </Button>
        </>
      }
    >
      <p>{t('prompt.logout.text', { count: unfinishedFiles() })}</p>
    </Dialog>
  )
}
