import { useLayoutEffect, useState, type KeyboardEvent, type RefObject } from 'react'
import { CircleAlert, Eye, EyeOff } from 'lucide'
import { config } from '../../api/config.ts'
import { t } from '../../i18n/translate.ts'
import { Banner } from '../../ui/banner.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { Challenge } from './challenge.tsx'
import type { LoginState } from './use-login.ts'
import styles from './login-screen.module.css'

type LoginFieldsProps = {
  readonly state: Pick<LoginState, 'failure' | 'passwordField'>
  /** The initial value of the name field. When this value is given, the password field gets the initial focus. */
  readonly username?: string
  /** True for the form of a new account, which asks for the password twice. */
  readonly isSignup?: boolean
}

/**
 * Renders the fields for name and password, the challenge if the server requires it, and the reason why the last
 * attempt failed.
 */
export function LoginFields({
  state: { failure, passwordField },
  username = '',
  isSignup = false,
}: LoginFieldsProps) {
  const [isShown, setShown] = useState(false)
  const count = config().MinimumPasswordLength
  useFirstFocus(username === '' ? null : passwordField)
  const [isCapsLock, setCapsLock] = useState(false)
  const readCapsLock = (event: KeyboardEvent): void => setCapsLock(event.getModifierState('CapsLock'))
  return (
    <>
      <TextField
        name="username"
        label={t('login.username')}
        defaultValue={username}
        autoComplete="username"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        ref={username === '' ? focusWhenEmpty : null}
      />
      <TextField
        ref={passwordField}
        name="password"
        type={isShown ? 'text' : 'password'}
        label={t('login.password')}
        autoComplete={isSignup ? 'new-password' : 'current-password'}
        hint={isSignup && count > 0 && t('login.tooShort', { count })}
        onKeyUp={readCapsLock}
        onKeyDown={readCapsLock}
        onBlur={() => setCapsLock(false)}
        end={
          <IconButton
            icon={isShown ? EyeOff : Eye}
            label={t(isShown ? 'login.hidePassword' : 'login.showPassword')}
            onClick={() => setShown(!isShown)}
          />
        }
      />
      {isSignup && (
        <TextField
          name="confirmation"
          type={isShown ? 'text' : 'password'}
          label={t('login.confirmation')}
          autoComplete="new-password"
        />
      )}
      <Challenge />
      <div className={styles.message}>
        {failure !== null && (
          <Banner key={failure.id} kind="danger" icon={CircleAlert} isAlert>
            {failure.text}
          </Banner>
        )}
        {failure === null && isCapsLock && <p className={styles.hint}>{t('login.capsLock')}</p>}
      </div>
    </>
  )
}

/**
 * The delay in milliseconds before the focus is set a second time. The value is four frames at 60 Hz. A dialog beneath
 * the login dialog stops taking the focus back after two frames.
 */
const settleFocusMs = 66

/**
 * Focuses a field when the form is shown. The focus is set a second time after a delay, because a dialog that was
 * already open takes the focus back until it has detected the dialog above it.
 */
function useFirstFocus(field: RefObject<HTMLInputElement | null> | null): void {
  useLayoutEffect(() => {
    focusWhenEmpty(field?.current ?? null)
    const timer = setTimeout(() => focusWhenEmpty(field?.current ?? null), settleFocusMs)
    return () => clearTimeout(timer)
  }, [field])
}

/** Focuses a field unless a password manager has already filled it in. */
const focusWhenEmpty = (field: HTMLInputElement | null): void => {
  if (field?.value === '') field.focus()
}
