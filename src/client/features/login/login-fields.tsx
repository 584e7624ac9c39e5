import { useLayoutEffect, useState, type KeyboardEvent, type RefObject } from 'react'
import { t } from '../../i18n/translate.ts'
import { Banner } from '../../ui/banner.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { Challenge } from './challenge.tsx'
import type { LoginState } from './use-login.ts'
import styles from './login-screen.module.css'

type LoginFieldsProps = {
  readonly state: Pick<LoginState, 'failure' | 'passwordField'>
  /** The name that is filled in at first; the password field then has the focus. */
  readonly username?: string
}

/**
 * Renders the fields for name and password, the challenge where the server asks for one, and why the last try failed.
 */
export function LoginFields({ state: { failure, passwordField }, username = '' }: LoginFieldsProps) {
  const [isShown, setShown] = useState(false)
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
        autoComplete="current-password"
        onKeyUp={readCapsLock}
        onKeyDown={readCapsLock}
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
        {failure !== null && (
          <Banner key={failure.id} kind="danger" icon="alert" isAlert>
            {failure.text}
          </Banner>
        )}
        {failure === null && isCapsLock && <p className={styles.hint}>{t('login.capsLock')}</p>}
      </div>
    </>
  )
}

function useFirstFocus(field: RefObject<HTMLInputElement | null> | null): void {
  useLayoutEffect(() => focusWhenEmpty(field?.current ?? null), [field])
}

/** As a `ref`: focuses a field that a password manager has not filled in already. */
const focusWhenEmpty = (field: HTMLInputElement | null): void => {
  if (field?.value === '') field.focus()
}
