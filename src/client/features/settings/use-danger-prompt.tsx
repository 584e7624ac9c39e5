import { useRef, useState, type ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import styles from './settings-card.module.css'

type DangerPrompt = {
  /** Saves the form at once, or after the administrator has confirmed the dangers. */
  readonly submit: () => void
  /** The open question, or null. */
  readonly prompt: ReactNode
}

type OpenQuestion = { readonly dangers: readonly string[]; readonly submit: () => void }

/**
 * Asks before a form is saved whose changes are dangerous. `findDangers` returns a sentence for each danger. A form whose dangers
 * cannot be found out is saved without a question: the server refuses it, or cannot be reached.
 */
export function useDangerPrompt(
  submit: () => void,
  findDangers: () => Promise<readonly string[]> | readonly string[],
): DangerPrompt {
  const [question, setQuestion] = useState<OpenQuestion | null>(null)
  const isLooking = useRef(false)
  const proceed = (dangers: readonly string[]): void => {
    if (dangers.length === 0) submit()
    else setQuestion({ dangers, submit })
  }
  const look = async (search: Promise<readonly string[]>): Promise<void> => {
    if (isLooking.current) return
    isLooking.current = true
    const found = await search.catch((): readonly string[] => [])
    isLooking.current = false
    proceed(found)
  }
  return {
    submit: () => {
      const found = findDangers()
      if (found instanceof Promise) void look(found)
      else proceed(found)
    },
    prompt: question !== null && (
      <DangerDialog
        dangers={question.dangers}
        onClose={() => setQuestion(null)}
        onConfirm={question.submit}
      />
    ),
  }
}

type DangerDialogProps = {
  readonly dangers: readonly string[]
  readonly onClose: () => void
  readonly onConfirm: () => void
}

function DangerDialog({ dangers, onClose, onConfirm }: DangerDialogProps) {
  return (
    <Dialog
      title={t('settings.danger.title')}
      isAlert
      onClose={onClose}
      onSubmit={() => {
        onClose()
        onConfirm()
      }}
      actions={
        <DialogActions kind="danger" focused="cancel" onCancel={onClose}>
          {t('settings.danger.save')}
        </DialogActions>
      }
    >
      <ul className={styles.dangers}>
        {dangers.map((danger) => (
          <li key={danger}>{danger}</li>
        ))}
      </ul>
    </Dialog>
  )
}
