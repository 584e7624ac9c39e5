import { useEffect, useRef, useState, type FormEvent } from 'react'
import { t } from '../../i18n/translate.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { refusalText } from './refusal-text.ts'
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
