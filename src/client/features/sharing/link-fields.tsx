import type { ShareMode, ShareResource } from '../../../shared/contract/shares.ts'
import { t } from '../../i18n/translate.ts'
import { useMay } from '../../state/session.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { DropLimitFields } from './drop-limit-fields.tsx'
import { DurationField } from './duration-field.tsx'
import type { LinkProblem } from './link-problem.ts'
import { LinkPasswordField } from './link-password-field.tsx'
import type { LinkFields } from './link-terms.ts'
import styles from './sharing.module.css'

/** The modes of a link, in the order of the list in the form. */
const modes = ['download', 'view-only', 'upload-only'] as const satisfies readonly ShareMode[]

type LinkFieldListProps = {
  /** The link to change; null for a new link. */
  readonly link: ShareResource | null
  readonly isFolder: boolean
  readonly fields: LinkFields
  readonly problem: LinkProblem | null
  readonly onChange: (changes: Partial<LinkFields>) => void
}

/** Renders the fields with the terms of a link: its end, password and rights, its limits, start and address, and the name of its sender. */
export function LinkFieldList({ link, isFolder, fields, problem, onChange }: LinkFieldListProps) {
  const may = useMay()
  const mayReceive = isFolder && may('create')
  const isDrop = fields.mode === 'upload-only'
  return (
    <>
      <DurationField
        duration={fields.duration}
        keptEndMs={fields.keptEndMs}
        unit={fields.unit}
        error={problem === 'duration' ? t('share.wrongDuration') : null}
        onChange={(changed) => onChange({ ...changed, keptEndMs: null })}
      />
      <LinkPasswordField value={fields.password} onChange={(password) => onChange({ password })} />
      {link?.hasPassword === true && (
        <Checkbox
          label={t('share.keepPassword')}
          checked={fields.keepsPassword && fields.password === ''}
          disabled={fields.password !== ''}
          onChange={({ target }) => onChange({ keepsPassword: target.checked })}
        />
      )}
      <SelectField
        label={t('share.mode')}
        hint={hintOf(fields.mode)}
        value={fields.mode}
        options={modes
          .filter((value) => value !== 'upload-only' || mayReceive || link?.mode === value)
          .map((value) => ({ value, label: t(`share.mode.${value}`) }))}
        onChange={({ target }) => onChange({ mode: target.value as ShareMode })}
      />
      {isDrop && (
        <>
          <DropLimitFields maxFiles={fields.maxFiles} maxSize={fields.maxSize} onChange={onChange} />
          <Checkbox
            label={t('share.tellMe')}
            checked={fields.tellsOfFiles}
            onChange={({ target }) => onChange({ tellsOfFiles: target.checked })}
          />
        </>
      )}
      {fields.mode === 'download' && (
        <TextField
          inputMode="numeric"
          autoComplete="off"
          label={t('share.maxDownloads')}
          hint={t('share.maxSizeHint')}
          className={styles.short}
          error={problem === 'downloads' ? t('share.wrongMaxFiles') : null}
          value={fields.maxDownloads}
          onChange={({ target }) => onChange({ maxDownloads: target.value })}
        />
      )}
      <TextField
        label={t('share.alias')}
        hint={t('share.aliasHint')}
        error={aliasErrorOf(problem)}
        dir="ltr"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={fields.alias}
        onChange={({ target }) => onChange({ alias: target.value })}
      />
      <TextField
        label={t('share.sender')}
        hint={t('share.senderHint')}
        error={problem === 'sender' ? t('share.wrongSender') : null}
        autoComplete="name"
        value={fields.sender}
        onChange={({ target }) => onChange({ sender: target.value })}
      />
      <TextField
        type="datetime-local"
        label={t('share.schedule')}
        hint={t('share.scheduleHint')}
        className={styles.short}
        error={problem === 'start' ? t('share.startsAfterEnd') : null}
        value={fields.from}
        onChange={({ target }) => onChange({ from: target.value })}
      />
    </>
  )
}

/** Returns what to know about a mode, or false. */
function hintOf(mode: ShareMode): string | false {
  if (mode === 'upload-only') return t('share.uploadOnlyHint')
  return mode === 'view-only' && t('share.viewOnlyHint')
}

function aliasErrorOf(problem: LinkProblem | null): string | null {
  if (problem === 'taken-alias') return t('share.takenAlias')
  return problem === 'alias' ? t('share.wrongAlias') : null
}
