import { useEffect, useRef, useState, type FormEvent } from 'react'
import { CallError, statusOf } from '../../api/call.ts'
import { t } from '../../i18n/translate.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import type { PasswordFailure } from './use-visited-entry.ts'
import styles from './share-page.module.css'

type UnlockCardProps = {
  readonly failure: PasswordFailure | null
  readonly unlock: (password: string) => Promise<void>
}

/** Asks for the password of a share. After a wrong password the field keeps the focus, with its text selected. */
export function UnlockCard({ failure, unlock }: UnlockCardProps) {
  const [isBusy, setBusy] = useState(false)
  const [isVisible, setVisible] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    field.current?.focus()
  }, [])
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    const password = field.current?.value ?? ''
    if (isBusy || password === '') return field.current?.focus()
    setBusy(true)
    await unlock(password)
    setBusy(false)
    field.current?.focus()
    field.current?.select()
  }
  return (
    <form
      className={styles.card}
      onSubmit={(event) => void submit(event)}
      aria-busy={isBusy}
      data-part="password"
    >
      <h1 tabIndex={-1}>{t('guest.locked')}</h1>
      <p className={styles.muted}>{t('guest.locked.next')}</p>
      <TextField
        ref={field}
        name="password"
        type={isVisible ? 'text' : 'password'}
        label={t('login.password')}
        autoComplete="off"
        end={
          <IconButton
            icon={isVisible ? 'eye-off' : 'eye'}
            label={t(isVisible ? 'login.hidePassword' : 'login.showPassword')}
            onClick={() => setVisible(!isVisible)}
          />
        }
      />
      {failure !== null && (
        <Banner key={failure.attempt} kind="danger" icon="alert" isAlert>
          {refusalText(failure.thrown)}
        </Banner>
      )}
      <Button kind="primary" type="submit" isBusy={isBusy}>
        {t('guest.submit')}
      </Button>
    </form>
  )
}

/** Returns the reason why a request of a guest was refused, where the guest can do something about it. */
export function refusalText(thrown: unknown): string {
  const seconds = thrown instanceof CallError ? thrown.retryAfterSeconds : null
  switch (statusOf(thrown)) {
    case 0:
      return t('errors.connection')
    case 401:
      return t('login.wrong')
    case 403:
      return t('errors.forbidden')
    case 404:
      return t('guest.gone')
    case 429:
      return seconds === null ? t('guest.busy') : t('login.wait', { seconds })
    default:
      return t('errors.internal')
  }
}
