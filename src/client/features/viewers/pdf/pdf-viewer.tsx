import { useEffect, useRef } from 'react'
import { t } from '../../../i18n/translate.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { ViewerLoading } from '../frame/viewer-loading.tsx'
import type { ViewerProps } from '../viewer.ts'
import { PdfPages } from './pdf-pages.tsx'
import { type PasswordQuestion, usePdf } from './use-pdf.ts'
import styles from './pdf.module.css'

/** Shows a PDF with its text, which can be selected and searched. */
export function PdfViewer({ file, isQuick, onBroken }: Pick<ViewerProps, 'file' | 'isQuick' | 'onBroken'>) {
  const { loaded, question } = usePdf(file.address, onBroken)
  if (question !== null) return <PasswordForm question={question} onCancel={() => onBroken()} />
  if (loaded === null) return <ViewerLoading />
  return <PdfPages name={file.name} loaded={loaded} isQuick={isQuick} />
}

type PasswordFormProps = { readonly question: PasswordQuestion; readonly onCancel: () => void }

/** Asks for the password of a document. A cancelled document counts as one that cannot be shown. */
function PasswordForm({ question, onCancel }: PasswordFormProps) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  return (
    <form
      className={styles.password}
      onSubmit={(event) => {
        event.preventDefault()
        const typed = new FormData(event.currentTarget).get('password')
        if (typeof typed === 'string') question.answer(typed)
      }}
    >
      <TextField
        ref={field}
        label={t('viewer.password')}
        name="password"
        type="password"
        autoComplete="off"
        error={question.isWrong ? t('viewer.wrongPassword') : null}
      />
      <div className={styles.passwordButtons}>
        <Button onClick={onCancel}>{t('buttons.cancel')}</Button>
        <Button kind="primary" type="submit">
          {t('action.open')}
        </Button>
      </div>
    </form>
  )
}
