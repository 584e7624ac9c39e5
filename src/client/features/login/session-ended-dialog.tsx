import { useEffect } from 'react'
import { CircleAlert } from 'lucide'
import { addressRefusal } from '../../api/address-refusal.ts'
import { automaticLogin, continueAutomatically, logInAutomatically } from '../../api/automatic-login.ts'
import { config } from '../../api/config.ts'
import { logout } from '../../api/session.ts'
import { t } from '../../i18n/translate.ts'
import { unfinishedFiles } from '../../state/personal.ts'
import { useStore } from '../../state/store.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { LoginFields } from './login-fields.tsx'
import { useLogin, type LoginFailure } from './use-login.ts'
import styles from './login-screen.module.css'

type SessionEndedDialogProps = { readonly username: string }

/**
 * Asks for a login in a dialog above the page after the session has ended. When the same user logs in, the page is
 * unchanged. When another user logs in, the state of the previous user is deleted. Only a login or a logout closes the
 * dialog.
 */
export function SessionEndedDialog({ username }: SessionEndedDialogProps) {
  return config().LoginPage ? <PasswordDialog username={username} /> : <AutomaticDialog />
}

function PasswordDialog({ username }: SessionEndedDialogProps) {
  const login = useLogin()
  const refusal = useStore(addressRefusal)
  const failure = refusal === null ? login.failure : withText(login.failure, t('reason.foreign-origin'))
  const count = unfinishedFiles()
  return (
    <Dialog
      title={t('login.ended')}
      isCovering
      onSubmit={(form) => void login.submit(form)}
      actions={
        <DialogActions onCancel={() => void logout()} cancel={t('buttons.logout')} isBusy={login.isBusy}>
          {t('login.submit')}
        </DialogActions>
      }
    >
      {count > 0 && <p className={styles.hint}>{t('login.waiting', { count })}</p>}
      <LoginFields state={{ ...login, failure }} username={username} />
    </Dialog>
  )
}

/**
 * Continues the session on servers without a login page, where a proxy identifies the user or only one user exists.
 * Shows a dialog only when the automatic login fails.
 */
function AutomaticDialog() {
  const { isTrying, failure } = useStore(automaticLogin)
  const refusal = useStore(addressRefusal)
  useEffect(continueAutomatically, [])
  if (failure === null) return null
  return (
    <Dialog
      title={t('login.ended')}
      isCovering
      onSubmit={() => void logInAutomatically()}
      actions={
        <Button kind="primary" type="submit" isBusy={isTrying} ref={focusButton}>
          {t('login.submit')}
        </Button>
      }
    >
      <Banner kind="danger" icon={CircleAlert} isAlert>
        {t(
          failure === 'offline'
            ? 'errors.connection'
            : refusal === null
              ? 'errors.forbidden'
              : 'reason.foreign-origin',
        )}
      </Banner>
    </Dialog>
  )
}

const withText = (failure: LoginFailure | null, text: string): LoginFailure | null =>
  failure && { ...failure, text }

const focusButton = (button: HTMLButtonElement | null): void => button?.focus()
