import { useEffect, useRef, useState, type FormEvent } from 'react'
import { CircleAlert, Eye, EyeOff } from 'lucide'
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
  readonly unlock: (password: string, signal: AbortSignal) => Promise<void>
}

/**
 * Asks for the password of a share. After a wrong password the field keeps the focus, with its text selected. Another
 * password can be submitted while the server still checks the previous one, whose request is then aborted.
 */
export function UnlockCard({ failure, unlock }: UnlockCardProps) {
  /** The password that the server is checking. Null while no request is in flight. */
  const [pending, setPending] = useState<string | null>(null)
  const [isVisible, setVisible] = useState(false)
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const request = useRef<AbortController>(null)
  const isBusy = pending !== null && pending === text
  useEffect(() => {
    field.current?.focus()
  }, [])
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    // A password manager may have filled in the field without an event.
    const password = field.current?.value ?? ''
    if (password === '' || password === pending) return field.current?.focus()
    request.current?.abort()
    const controller = new AbortController()
    request.current = controller
    setText(password)
    setPending(password)
    await unlock(password, controller.signal)
    if (controller.signal.aborted) return
    setPending(null)
    // A password that was typed meanwhile is not selected, because the next key would replace it.
    if (field.current?.value !== password) return
    field.current.focus()
    field.current.select()
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
        onChange={({ target }) => setText(target.value)}
        end={
          <IconButton
            icon={isVisible ? EyeOff : Eye}
            label={t(isVisible ? 'login.hidePassword' : 'login.showPassword')}
            onClick={() => setVisible(!isVisible)}
          />
        }
      />
      <div className={styles.message}>
        {failure !== null && (
          <Banner key={failure.attempt} kind="danger" icon={CircleAlert} isAlert>
            {refusalText(failure.thrown)}
          </Banner>
        )}
      </div>
      <Button kind="primary" type="submit" isBusy={isBusy}>
        {t('guest.submit')}
      </Button>
    </form>
  )
}
