import { t } from '../../../i18n/translate.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { NumberField } from '../number-field.tsx'
import type { SettingsDraft } from './use-settings-draft.ts'
import type { SettingsFormState } from './use-settings-form.ts'

type AccessFieldsProps = {
  readonly settings: Pick<SettingsDraft, 'draft' | 'change'>
  readonly refused: SettingsFormState['refused']
}

/** Renders the settings about accounts: who may create them, their home folders, and their passwords. */
export const AccessFields = ({ settings: { draft, change }, refused }: AccessFieldsProps) => (
  <>
    <Checkbox
      label={t('settings.signup')}
      checked={draft.signup}
      onChange={({ target }) => change({ signup: target.checked })}
    />
    <Checkbox
      label={t('settings.createUserDir')}
      checked={draft.createUserDir}
      onChange={({ target }) => change({ createUserDir: target.checked })}
    />
    <TextField
      label={t('settings.userHomeBasePath')}
      value={draft.userHomeBasePath}
      dir="ltr"
      spellCheck={false}
      error={refused === 'userHomeBasePath' ? t('settings.failed.folder') : null}
      onChange={({ target }) => change({ userHomeBasePath: target.value })}
    />
    <NumberField
      label={t('settings.minimumPasswordLength')}
      value={draft.minimumPasswordLength}
      range={[0, 1024]}
      onChange={(value) => value !== null && change({ minimumPasswordLength: value })}
    />
    <Checkbox
      label={t('settings.hideLoginButton')}
      checked={draft.hideLoginButton}
      onChange={({ target }) => change({ hideLoginButton: target.checked })}
    />
    <NumberField
      label={t('settings.auditDays')}
      hint={t('settings.auditDays.hint')}
      value={draft.auditDays}
      range={[0, 3650]}
      onChange={(value) => value !== null && change({ auditDays: value })}
    />
  </>
)
