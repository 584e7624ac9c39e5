import type { ShareResource } from '../../../shared/contract/shares.ts'
import { sentences } from '../../i18n/joined-texts.ts'
import { t } from '../../i18n/translate.ts'
import { closePrompt } from '../../state/prompt.ts'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { LinkEffect } from './link-effect.tsx'
import { LinkFieldList } from './link-fields.tsx'
import type { LinkFields } from './link-terms.ts'
import { ReceivedFiles } from './received-files.tsx'
import { useLinkDraft } from './use-link-draft.ts'
import styles from './sharing.module.css'

type LinkFormProps = {
  readonly link: ShareResource
  readonly isFolder: boolean
  /** The visible name of the entry. */
  readonly name: string
  /** Sends the fields, and opens what follows. The form shows the reason when it fails. */
  readonly onSave: (fields: LinkFields) => Promise<void>
  readonly onCancel: () => void
}

/** Asks for the terms of an existing link. */
export function LinkForm({ link, isFolder, name, onSave, onCancel }: LinkFormProps) {
  const { fields, change, isChanged, problem, isBusy, failure, submit } = useLinkDraft(link, onSave)
  return (
    <Dialog
      title={t('share.title', { name })}
      width="wide"
      // The first Escape discards the typed values, as *Cancel* does. The next Escape closes the prompt.
      onClose={isChanged() ? onCancel : closePrompt}
      onSubmit={submit}
      actions={
        <DialogActions
          onCancel={onCancel}
          isBusy={isBusy}
          disabled={problem !== null && problem !== 'taken-alias'}
        >
          {t('share.save')}
        </DialogActions>
      }
    >
      <LinkFieldList link={link} isFolder={isFolder} fields={fields} problem={problem} onChange={change} />
      {problem === null && <LinkEffect fields={fields} name={name} />}
      <ReceivedFiles link={link} />
      {failure !== null && (
        <p role="alert" className={styles.failure}>
          {sentences(t('share.failed.change'), failure)}
        </p>
      )}
    </Dialog>
  )
}
