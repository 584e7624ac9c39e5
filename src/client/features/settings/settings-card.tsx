import { useEffect, useId, useRef, type ReactNode } from 'react'
import type { SaveState } from '../../api/use-save.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import styles from './settings-card.module.css'

/** Renders a page of the settings that has its cards in one column. */
export const SettingsPage = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles.page}>{children}</div>
)

type SettingsCardProps = {
  readonly title: string
  /** A sentence below the title. */
  readonly hint?: ReactNode
  readonly className?: string | undefined
  /** The id of the card, which can then get the focus. */
  readonly id?: string
  /** True for the card whose title names the whole page. Each page of the settings has one heading of level 1. */
  readonly isPageTitle?: boolean
  readonly children: ReactNode
}

/** Renders a group of settings with its title. */
export function SettingsCard(props: SettingsCardProps) {
  const { title, hint, className, id: cardId, isPageTitle = false, children } = props
  const id = useId()
  const Title = isPageTitle ? 'h1' : 'h2'
  return (
    <section
      {...(cardId !== undefined && { id: cardId, tabIndex: -1 })}
      aria-labelledby={id}
      className={classNames(styles.card, className)}
    >
      <Title id={id} className={styles.title}>
        {title}
      </Title>
      {hint !== undefined && <p className={styles.hint}>{hint}</p>}
      {children}
    </section>
  )
}

type SettingsFormProps = Pick<SaveState, 'isBusy' | 'error' | 'failure' | 'submit'> & {
  /** True while the form has changes that are not saved. The form says so beside its button. */
  readonly isDirty: boolean
  /** The sentence that names the changes that are not saved. With it, the form has its button only while there are some. */
  readonly unsaved?: string
  /** The text of the button. By default, it is "Update". */
  readonly submitLabel?: string
  readonly children: ReactNode
}

/**
 * Renders a form that Ctrl+Enter or its button saves. A form with a field that is marked as `data-unsendable` is not
 * saved, and the field gets the focus.
 */
export function SettingsForm(props: SettingsFormProps) {
  const { isBusy, isDirty, unsaved, error, failure, submit, submitLabel, children } = props
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => submitOnCtrlEnter(form.current), [])
  useEffect(() => {
    if (error !== null) showFault(form.current)
  }, [error])
  return (
    <form
      noValidate
      className={styles.form}
      ref={form}
      onSubmit={(event) => {
        event.preventDefault()
        const unsendable = form.current?.querySelector<HTMLElement>('[data-unsendable]')
        if (unsendable) unsendable.focus()
        else submit()
      }}
    >
      {children}
      {(unsaved === undefined || isDirty) && (
        <div className={classNames(styles.end, unsaved !== undefined && styles.beside)}>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {submitLabel ?? t('settings.updateButton')}
          </Button>
          {isDirty && <span className={styles.unsaved}>{unsaved ?? t('settings.unsaved')}</span>}
        </div>
      )}
      {failure !== null && (
        <p role="alert" className={styles.failure}>
          {failure}
        </p>
      )}
    </form>
  )
}

/**
 * Shows the user why an attempt to submit a form failed: the first field that the form or the server has refused gets
 * the focus, and without such a field the message of the form is scrolled into view.
 */
function showFault(form: HTMLFormElement | null): void {
  const field = form?.querySelector<HTMLElement>('[aria-invalid="true"]')
  if (field) field.focus()
  else form?.querySelector('[role="alert"]')?.scrollIntoView({ block: 'nearest' })
}

/** Submits a form when the user presses Ctrl+Enter in any of its fields. Returns the function that stops this. */
function submitOnCtrlEnter(form: HTMLFormElement | null): () => void {
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    form?.requestSubmit()
  }
  form?.addEventListener('keydown', onKeyDown)
  return () => form?.removeEventListener('keydown', onKeyDown)
}
