import { useRef, useState, type FormEvent, type KeyboardEvent } from 'react'
import { CallError, statusOf } from '../../api/call.ts'
import { config, instanceName } from '../../api/config.ts'
import { login } from '../../api/session.ts'
import { t } from '../../i18n/translate.ts'
import { session } from '../../state/session.ts'
import { useStore } from '../../state/store.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Credits } from '../../ui/credits.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { Challenge, challengeAnswer } from './challenge.tsx'
import styles from './login-screen.module.css'

/** Name and password, and what is wrong with them. A success changes the session; the router leads on from there. */
export function LoginScreen() {
  const { isBusy, fault, submit, passwordField } = useLogin()
  const [isShown, setShown] = useState(false)
  const [isCapsLock, setCapsLock] = useState(false)
  const watchKeys = (event: KeyboardEvent): void => setCapsLock(event.getModifierState('CapsLock'))
  return (
    <main className={styles.screen} data-part="login">
      <form className={styles.card} onSubmit={(event) => void submit(event)} aria-busy={isBusy}>
        <Heading />
        <TextField
          name="username"
          label={t('login.username')}
          autoComplete="username"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          ref={focusFirst}
        />
        <TextField
          ref={passwordField}
          name="password"
          type={isShown ? 'text' : 'password'}
          label={t('login.password')}
          autoComplete="current-password"
          onKeyUp={watchKeys}
          onKeyDown={watchKeys}
          onBlur={() => setCapsLock(false)}
          end={
            <IconButton
              icon={isShown ? 'eye-off' : 'eye'}
              label={t(isShown ? 'login.hidePassword' : 'login.showPassword')}
              onClick={() => setShown(!isShown)}
            />
          }
        />
        <Challenge />
        <div className={styles.message}>
          {fault !== null && (
            <Banner key={fault.id} kind="danger" icon="alert" isAlert>
              {fault.text}
            </Banner>
          )}
          {fault === null && isCapsLock && <p className={styles.hint}>{t('login.capsLock')}</p>}
        </div>
        <Button kind="primary" type="submit" isBusy={isBusy} className={styles.submit}>
          {t('login.submit')}
        </Button>
      </form>
      <Credits name="Stowage" version={config().Version} isLinkHidden={config().DisableExternal} />
    </main>
  )
}

/** Nothing else is on this screen: one can type at once. Where a password manager has been here first, it is left alone. */
const focusFirst = (field: HTMLInputElement | null): void => {
  if (field?.value === '') field.focus()
}

function Heading() {
  const now = useStore(session)
  const hasEnded = now.kind === 'guest' && now.reason === 'ended'
  return (
    <div className={styles.heading}>
      <img src={`${config().StaticURL}/img/logo.svg`} alt="" width={64} height={64} />
      <h1>{instanceName()}</h1>
      {hasEnded && <p className={styles.hint}>{t('login.ended')}</p>}
    </div>
  )
}

type Fault = { readonly id: number; readonly text: string }

function useLogin() {
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<Fault | null>(null)
  const passwordField = useRef<HTMLInputElement>(null)

  const refuse = (text: string): void => {
    setFault((was) => ({ id: (was?.id ?? 0) + 1, text }))
    passwordField.current?.focus()
    passwordField.current?.select()
  }

  /** The fields are read when the form is sent, so that what a password manager filled in earlier counts. */
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const recaptcha = challengeAnswer()
    if (recaptcha === null) return refuse(t('login.wrong'))
    setBusy(true)
    try {
      await login({ username: textOf(fields, 'username'), password: textOf(fields, 'password'), recaptcha })
    } catch (thrown) {
      refuse(sentenceOf(thrown))
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, fault, submit, passwordField }
}

const textOf = (fields: FormData, name: string): string => {
  const value = fields.get(name)
  return typeof value === 'string' ? value : ''
}

/** Wrong credentials, whatever the server had against them; for how long no try counts; or that it is not there. */
function sentenceOf(thrown: unknown): string {
  const status = statusOf(thrown)
  if (status === 0) return t('errors.connection')
  if (status >= 500) return t('errors.internal')
  const seconds = thrown instanceof CallError ? thrown.retryAfterSeconds : null
  if (status !== 429 || seconds === null) return t('login.wrong')
  return `${t('login.wrong')}. ${t('login.wait', { seconds })}`
}
