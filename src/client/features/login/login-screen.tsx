import type { FormEvent } from 'react'
import { config, instanceName } from '../../api/config.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { Credits } from '../../ui/credits.tsx'
import { LoginFields } from './login-fields.tsx'
import { useLogin } from './use-login.ts'
import styles from './login-screen.module.css'

/** Asks for name and password. A login changes the session store, and the router then opens the requested page. */
export function LoginScreen() {
  const login = useLogin()
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    void login.submit(new FormData(event.currentTarget))
  }
  return (
    <main className={styles.screen} data-part="login">
      <form className={styles.card} onSubmit={submit} aria-busy={login.isBusy}>
        <div className={styles.heading}>
          <img src={`${config().StaticURL}/img/logo.svg`} alt="" width={64} height={64} />
          <h1>{instanceName()}</h1>
        </div>
        <LoginFields state={login} />
        <Button kind="primary" type="submit" isBusy={login.isBusy} className={styles.submit}>
          {t('login.submit')}
        </Button>
      </form>
      <Credits name="Stowage" version={config().Version} isLinkHidden={config().DisableExternal} />
    </main>
  )
}
