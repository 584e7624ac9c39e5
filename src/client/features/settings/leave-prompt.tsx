import { t } from '../../i18n/translate.ts'
import { useLeaveGuard } from '../../router/use-leave-guard.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, focusFirst } from '../../ui/dialog.tsx'

/**
 * Asks before the user leaves a form with unsaved changes, by a link, by Back, by a logout or by closing the tab. Render
 * it in the form's component, with `isDirty` true while there are unsaved changes.
 */
export function LeavePrompt({ isDirty }: { readonly isDirty: boolean }) {
  const guard = useLeaveGuard(isDirty)
  if (!guard.isAsking) return null
  return (
    <Dialog
      title={t('settings.leave.title')}
      isAlert
      onClose={() => guard.answer(false)}
      onSubmit={() => guard.answer(false)}
      actions={
        <>
          <Button kind="danger" onClick={() => guard.answer(true)}>
            {t('settings.leave.discard')}
          </Button>
          <Button kind="primary" type="submit" ref={focusFirst}>
            {t('settings.leave.stay')}
          </Button>
        </>
      }
    >
      <p>{t('settings.leave.text')}</p>
    </Dialog>
  )
}
