import { t } from '../../../i18n/translate.ts'
import { Button } from '../../../ui/button.tsx'
import { addIcons } from '../../../ui/icon.tsx'
import { lateIcons } from '../../../ui/icons/late-icons.ts'
import { Spinner } from '../../../ui/spinner.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import type { ViewerProps } from '../viewer.ts'
import { PdfPages } from './pdf-pages.tsx'
import { type PasswordQuestion, usePdf } from './use-pdf.ts'
import styles from './pdf.module.css'

addIcons(lateIcons)

/** Shows a PDF with its text, which can be selected and searched. */
export function PdfViewer({ file, isQuick, onBroken }: Pick<ViewerProps, 'file' | 'isQuick' | 'onBroken'>) {
  const { loaded, question } = usePdf(file.address, onBroken)
  if (question !== null) return <PasswordForm question={question} />
  if (loaded === null)
    return (
      <div className={styles.loading}>
        <Spinner size="large" />
        <output>{t('shell.loading')}</output>
      </div>
    )
  return <PdfPages name={file.name} loaded={loaded} isQuick={isQuick} />
}

const PasswordForm = ({ question }: { readonly question: PasswordQuestion }) => (
  <form
    className={styles.password}
    onSubmit={(event) => {
      event.preventDefault()
      const typed = new FormData(event.currentTarget).get('password')
      if (typeof typed === 'string') question.answer(typed)
    }}
  >
    <TextField
      label={t('viewer.password')}
      name="password"
      type="password"
      autoComplete="off"
      error={question.isWrong ? t('viewer.wrongPassword') : null}
    />
    <Button kind="primary" type="submit">
      {t('action.open')}
    </Button>
  </form>
)
