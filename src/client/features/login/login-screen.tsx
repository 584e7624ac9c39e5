import { useState, type FormEvent } from 'react'
import { addressRefusal } from '../../api/address-refusal.ts'
import { config, instanceName, mayGuestsSignUp } from '../../api/config.ts'
import { automaticRefusal } from '../../api/session.ts'
import { t } from '../../i18n/translate.ts'
import { useLocation } from '../../router/use-location.ts'
import { lazyModule } from '../../state/parts/lazy-part.ts'
import { useStore } from '../../state/store.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Credits } from '../../ui/credits.tsx'
import { LoginFields } from './login-fields.tsx'
import { useLogin, useSignup } from './use-login.ts'
import styles from './login-screen.module.css'

const refusals = lazyModule(async () => (await import('./refusals.ts')).loginRefusals)
const RefusedAddress = refusals.part((module) => module.RefusedAddress)
const FailedAutomaticLogin = refusals.part((module) => module.FailedAutomaticLogin)

// Only a submitted signup shows these texts.
if (mayGuestsSignUp()) void import('../../i18n/later-texts.ts').catch(() => undefined)

/**
 * Asks for name and password. A login changes the session store, and the router then opens the requested page. Where
 * the server allows signup, the form switches between the login and a new account, and keeps what was typed.
 */
export function LoginScreen() {
  const refusal = useStore(addressRefusal)
  const failedStatus = useStore(automaticRefusal)
  return (
    <main className={styles.screen} data-part="login">
      {refusal !== null ? (
        <RefusedAddress refusal={refusal} />
      ) : failedStatus !== null ? (
        <FailedAutomaticLogin />
      ) : (
        <LoginForm />
      )}
      <Credits version={config().Version} isLinkHidden={config().DisableExternal} />
    </main>
  )
}

function LoginForm() {
  const { query } = useLocation()
  const mayChange = mayGuestsSignUp()
  const [isSignup, setSignup] = useState(mayChange && new URLSearchParams(query).has('signup'))
  const [isCreated, setCreated] = useState(false)
  const login = useLogin()
  const signup = useSignup(() => {
    setCreated(true)
    setSignup(false)
  })
  const current = isSignup ? signup : login
  const isBusy = login.isBusy || signup.isBusy
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    void current.submit(new FormData(event.currentTarget))
  }
  return (
    <form className={styles.card} onSubmit={submit} aria-busy={isBusy}>
      <div className={styles.heading}>
        <img src={`${config().StaticURL}/img/logo.svg`} alt="" width={64} height={64} />
        <h1>{instanceName()}</h1>
      </div>
      {isCreated && (
        <Banner kind="success" isAlert>
          {t('login.created')}
        </Banner>
      )}
      <LoginFields state={current} isSignup={isSignup} />
      <Button kind="primary" type="submit" isBusy={isBusy} className={styles.submit}>
        {t(isSignup ? 'login.signup' : 'login.submit')}
      </Button>
      {mayChange && (
        <Button kind="quiet" onClick={() => setSignup(!isSignup)}>
          {t(isSignup ? 'login.hasAccount' : 'login.createAccount')}
        </Button>
      )}
    </form>
  )
}
