import type { ShareMode, ShareResource } from '../../../shared/contract/shares.ts'
import { isSenderName } from '../../../shared/domain/limits/sender-name.ts'
import { useSave } from '../../api/use-save.ts'
import { sentences } from '../../i18n/joined-texts.ts'
import { t } from '../../i18n/translate.ts'
import { reasonOf } from '../../operations/reason.ts'
import { useFormDraft } from '../../state/drafts/use-form-draft.ts'
import { closePrompt } from '../../state/prompt.ts'
import { useMay } from '../../state/session.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { DropLimitFields } from './drop-limit-fields.tsx'
import { ReceivedFiles } from './received-files.tsx'
import { DurationField } from './duration-field.tsx'
import { LinkEffect } from './link-effect.tsx'
import { LinkPasswordField } from './link-password-field.tsx'
import {
  durationOf,
  emptyFields,
  endOf,
  fieldsOfLink,
  maxBytesOf,
  maxFilesOf,
  startOf,
  type LinkFields,
} from './link-terms.ts'
import styles from './sharing.module.css'

/** The modes of a link, in the order of the list in the form. */
const modes = ['download', 'view-only', 'upload-only'] as const satisfies readonly ShareMode[]

type LinkFormProps = {
  /** The link to change; null for a new link. */
  readonly link: ShareResource | null
  readonly isFolder: boolean
  /** The visible name of the entry. */
  readonly name: string
  /** Sends the fields, and opens what follows. The form shows the reason when it fails. */
  readonly onSave: (fields: LinkFields) => Promise<void>
  readonly onCancel: () => void
}

/** Asks for the terms of a new or an existing link. The typed values stay in the form when the server refuses them. */
export function LinkForm({ link, isFolder, name, onSave, onCancel }: LinkFormProps) {
  const { draft: fields, change, isChanged } = useFormDraft(link === null ? emptyFields : fieldsOfLink(link))
  const { isBusy, failure, submit } = useSave(fields, {
    send: onSave,
    explain: (thrown) => ({ faults: {}, failure: reasonOf(thrown) }),
  })
  const problem = problemOf(fields)
  const may = useMay()
  const mayReceive = isFolder && may('create')
  return (
    <Dialog
      title={t('share.title', { name })}
      width="wide"
      // The first Escape discards the typed values, as *Cancel* does. The next Escape closes the prompt.
      onClose={isChanged() ? onCancel : closePrompt}
      onSubmit={() => {
        if (problem === null) submit()
      }}
      actions={
        <>
          <Button onClick={onCancel}>{t('buttons.cancel')}</Button>
          <Button kind="primary" type="submit" isBusy={isBusy} disabled={problem !== null}>
            {link === null ? t('action.share') : t('share.save')}
          </Button>
        </>
      }
    >
      <DurationField
        duration={fields.duration}
        keptEndMs={fields.keptEndMs}
        unit={fields.unit}
        error={problem === 'duration' ? t('share.wrongDuration') : null}
        onChange={(changed) => change({ ...changed, keptEndMs: null })}
      />
      <LinkPasswordField value={fields.password} onChange={(password) => change({ password })} />
      {link?.hasPassword === true && (
        <Checkbox
          label={t('share.keepPassword')}
          checked={fields.keepsPassword && fields.password === ''}
          disabled={fields.password !== ''}
          onChange={({ target }) => change({ keepsPassword: target.checked })}
        />
      )}
      <SelectField
        label={t('share.mode')}
        hint={hintOf(fields.mode)}
        value={fields.mode}
        options={modes
          .filter((value) => value !== 'upload-only' || mayReceive || link?.mode === value)
          .map((value) => ({ value, label: t(`share.mode.${value}`) }))}
        onChange={({ target }) => change({ mode: target.value as ShareMode })}
      />
      {fields.mode === 'upload-only' && (
        <DropLimitFields maxFiles={fields.maxFiles} maxSize={fields.maxSize} onChange={change} />
      )}
      <TextField
        label={t('share.sender')}
        hint={t('share.senderHint')}
        error={problem === 'sender' ? t('share.wrongSender') : null}
        autoComplete="name"
        value={fields.sender}
        onChange={({ target }) => change({ sender: target.value })}
      />
      <TextField
        type="datetime-local"
        label={t('share.schedule')}
        hint={t('share.scheduleHint')}
        className={styles.schedule}
        error={problem === 'start' ? t('share.startsAfterEnd') : null}
        value={fields.from}
        onChange={({ target }) => change({ from: target.value })}
      />
      {problem === null && <LinkEffect fields={fields} name={name} />}
      {link !== null && <ReceivedFiles link={link} />}
      {failure !== null && (
        <p role="alert" className={styles.failure}>
          {sentences(t(link === null ? 'share.failed.create' : 'share.failed.change'), failure)}
        </p>
      )}
    </Dialog>
  )
}

/** Returns what to know about a mode, or false. */
function hintOf(mode: ShareMode): string | false {
  if (mode === 'upload-only') return t('share.uploadOnlyHint')
  return mode === 'view-only' && t('share.viewOnlyHint')
}

/** Returns the field that keeps the link from being created, or null. A link that ends before it starts never works. */
function problemOf(fields: LinkFields): 'duration' | 'limits' | 'sender' | 'start' | null {
  if (durationOf(fields.duration) === null) return 'duration'
  if (!isSenderName(fields.sender.trim())) return 'sender'
  const areLimitsWrong = maxFilesOf(fields.maxFiles) === null || maxBytesOf(fields.maxSize) === null
  if (fields.mode === 'upload-only' && areLimitsWrong) return 'limits'
  const endMs = endOf(fields)
  const startMs = startOf(fields)
  return endMs !== null && startMs !== null && startMs >= endMs ? 'start' : null
}
