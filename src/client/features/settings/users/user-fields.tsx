import { useId } from 'react'
import { t } from '../../../i18n/translate.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { visibleName } from '../../../ui/visible-name.ts'
import { LanguageField } from '../language-field.tsx'
import { passwordLengthText } from '../password-length-text.ts'
import { PermissionFields } from '../permission-fields.tsx'
import { QuotaField } from '../quota-field.tsx'
import { ScopeField } from './scope-field.tsx'
import { withPermissions } from './user-draft.ts'
import type { UserFormState } from './use-user-form.ts'
import styles from './users-page.module.css'

type UserFieldsProps = {
  readonly form: Pick<UserFormState, 'draft' | 'change' | 'faults'>
  readonly isNew: boolean
  /** The name of a user with a home folder whose fields the new user gets. */
  readonly homeOwner?: string | undefined
  /** True for the account of the signed-in administrator, who cannot disable it. */
  readonly isOwn: boolean
}

/** Renders the name, the password, the folder, the language and the permissions of a user. */
export const UserFields = ({ form: { draft, change, faults }, isNew, homeOwner, isOwn }: UserFieldsProps) => (
  <>
    <TextField
      label={t('settings.users.username')}
      value={draft.username}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      error={faults.username ?? null}
      onChange={({ target }) => change({ username: target.value })}
    />
    <TextField
      label={t('settings.users.password')}
      type="password"
      autoComplete="new-password"
      placeholder={isNew ? undefined : t('settings.users.keepPassword')}
      hint={isNew && passwordLengthText()}
      value={draft.password}
      error={faults.password ?? null}
      onChange={({ target }) => change({ password: target.value })}
    />
    <ScopeField
      value={draft.scope}
      note={
        homeOwner === undefined ? undefined : t('settings.users.ownHome', { name: visibleName(homeOwner) })
      }
      error={faults.scope ?? null}
      onChange={(scope) => change({ scope })}
    />
    <LanguageField value={draft.locale} onChange={(locale) => change({ locale })} />
    <QuotaField valueBytes={draft.quotaBytes} onChange={(quotaBytes) => change({ quotaBytes })} />
    <Checkbox
      label={t('settings.users.lockPassword')}
      checked={draft.lockPassword}
      disabled={draft.perm.admin}
      onChange={({ target }) => change({ lockPassword: target.checked })}
    />
    {!isOwn && <DisableField value={draft.isDisabled} onChange={(isDisabled) => change({ isDisabled })} />}
    <PermissionFields value={draft.perm} onChange={(perm) => change(withPermissions(draft, perm))} />
  </>
)

type DisableFieldProps = { readonly value: boolean; readonly onChange: (value: boolean) => void }

/** Renders the checkbox that disables an account, with a description of the effect. */
function DisableField({ value, onChange }: DisableFieldProps) {
  const hint = useId()
  return (
    <div>
      <Checkbox
        label={t('settings.users.disable')}
        aria-describedby={hint}
        checked={value}
        onChange={({ target }) => onChange(target.checked)}
      />
      <p id={hint} className={styles.boxHint}>
        {t('settings.users.disable.hint')}
      </p>
    </div>
  )
}
