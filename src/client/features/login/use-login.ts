import { useRef, useState, type RefObject } from 'react'
import { CallError, statusOf } from '../../api/call.ts'
import { config } from '../../api/config.ts'
import { type Credentials, login } from '../../api/session.ts'
import { t } from '../../i18n/translate.ts'
import { refusedPasswordText } from '../../operations/refused-password.ts'
import { challengeResponse, resetChallenge } from './challenge.tsx'
import { signUp } from './sign-up.ts'

/**
 * The reason why a login failed. Each failed attempt has a different id, so that screen readers announce a repeated
 * text again.
 */
export type LoginFailure = { readonly id: number; readonly text: string }

export type LoginState = {
  readonly isBusy: boolean
  readonly failure: LoginFailure | null
  /** Submits the current values of the form's fields, including values that a password manager filled in. */
  readonly submit: (form: FormData) => Promise<void>
  readonly passwordField: RefObject<HTMLInputElement | null>
}

/**
 * Logs in with the fields of `LoginFields`. A successful login changes the session store, so callers need no result.
 */
export const useLogin = (): LoginState => useAttempt(login, loginFailureText)

/**
 * Creates an account with the fields of `LoginFields`, and then logs in. `onCreated` is called in between. A response to
 * the challenge is valid only once, so a server with a challenge requires the login to be submitted again.
 */
export function useSignup(onCreated: () => void): LoginState {
  const createAccount = async (credentials: Credentials): Promise<void> => {
    await signUp(credentials)
    onCreated()
    if (config().ReCaptcha) resetChallenge()
    else await login(credentials)
  }
  return useAttempt(createAccount, signupFailureText)
}

function useAttempt(
  send: (credentials: Credentials) => Promise<void>,
  failureText: (thrown: unknown) => string,
): LoginState {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<LoginFailure | null>(null)
  const passwordField = useRef<HTMLInputElement>(null)

  const refuse = (text: string, isNameTaken = false): void => {
    setFailure((before) => ({ id: (before?.id ?? 0) + 1, text }))
    const password = passwordField.current
    const name = password?.form?.querySelector<HTMLInputElement>('[name="username"]')
    const wrong = isNameTaken ? name : password
    wrong?.focus()
    wrong?.select()
  }

  const submit = async (form: FormData): Promise<void> => {
    const recaptcha = challengeResponse()
    const password = textOf(form, 'password')
    if (textOf(form, 'confirmation', password) !== password) return refuse(t('login.mismatch'))
    if (recaptcha === null) return refuse(t('login.wrong'))
    setBusy(true)
    try {
      await send({ username: textOf(form, 'username'), password, recaptcha })
    } catch (thrown) {
      resetChallenge()
      refuse(failureText(thrown), statusOf(thrown) === 409)
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, failure, submit, passwordField }
}

/** Returns the text of a field, or the fallback when the form does not have the field. */
const textOf = (form: FormData, name: string, fallback = ''): string => {
  const value = form.get(name)
  return typeof value === 'string' ? value : fallback
}

/** Returns the message that tells the user why the account was not created. */
function signupFailureText(thrown: unknown): string {
  const status = statusOf(thrown)
  if (status === 409) return t('login.taken')
  if (status === 405) return t('errors.forbidden')
  if (status === 400) return refusedPasswordText(thrown) ?? t('login.notAllowed')
  return loginFailureText(thrown)
}

/**
 * Returns the message that tells the user why the login failed: wrong credentials, too many attempts, or no connection.
 */
function loginFailureText(thrown: unknown): string {
  const status = statusOf(thrown)
  if (status === 0) return t('errors.connection')
  if (status >= 500) return t('errors.internal')
  const seconds = thrown instanceof CallError ? thrown.retryAfterSeconds : null
  if (status !== 429 || seconds === null) return t('login.wrong')
  return t('login.wrongAndWait', { seconds })
}
