import { useRef, useState, type RefObject } from 'react'
import { CallError, statusOf } from '../../api/call.ts'
import { login } from '../../api/session.ts'
import { t } from '../../i18n/translate.ts'
import { challengeResponse, resetChallenge } from './challenge.tsx'

/**
 * The reason why a login failed. Each failed attempt has a different id, so that screen readers announce a repeated
 * text again.
 */
export type LoginFailure = { readonly id: number; readonly text: string }

export type LoginState = {
  readonly isBusy: boolean
  readonly failure: LoginFailure | null
  /** Logs in with the current values of the form's fields, including values that a password manager filled in. */
  readonly submit: (form: FormData) => Promise<void>
  readonly passwordField: RefObject<HTMLInputElement | null>
}

/**
 * Logs in with the fields of `LoginFields`. A successful login changes the session store, so callers need no result.
 */
export function useLogin(): LoginState {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<LoginFailure | null>(null)
  const passwordField = useRef<HTMLInputElement>(null)

  const refuse = (text: string): void => {
    setFailure((before) => ({ id: (before?.id ?? 0) + 1, text }))
    passwordField.current?.focus()
    passwordField.current?.select()
  }

  const submit = async (form: FormData): Promise<void> => {
    const recaptcha = challengeResponse()
    if (recaptcha === null) return refuse(t('login.wrong'))
    setBusy(true)
    try {
      await login({ username: textOf(form, 'username'), password: textOf(form, 'password'), recaptcha })
    } catch (thrown) {
      resetChallenge()
      refuse(sentenceOf(thrown))
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, failure, submit, passwordField }
}

const textOf = (form: FormData, name: string): string => {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}

/**
 * Returns the message that tells the user why the login failed: wrong credentials, too many attempts, or no connection.
 */
function sentenceOf(thrown: unknown): string {
  const status = statusOf(thrown)
  if (status === 0) return t('errors.connection')
  if (status >= 500) return t('errors.internal')
  const seconds = thrown instanceof CallError ? thrown.retryAfterSeconds : null
  if (status !== 429 || seconds === null) return t('login.wrong')
  return `${t('login.wrong')}. ${t('login.wait', { seconds })}`
}
