import { allPermissions, permissions, type Permissions } from '../../../shared/domain/access.ts'
import { config } from '../../api/config.ts'
import { t } from '../../i18n/translate.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import styles from './settings-card.module.css'

type PermissionFieldsProps = {
  readonly label: string
  readonly value: Permissions
  readonly onChange: (value: Permissions) => void
}

/** Renders the permissions of a user, or of new users. Administrators have all permissions (specification 6). */
export function PermissionFields({ label, value, onChange }: PermissionFieldsProps) {
  const others = permissions.filter((name) => name !== 'admin' && (name !== 'execute' || config().EnableExec))
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>{label}</legend>
      <Checkbox
        label={t('settings.perm.admin')}
        checked={value.admin}
        onChange={({ target }) => onChange(target.checked ? allPermissions : { ...value, admin: false })}
      />
      {others.map((name) => (
        <Checkbox
          key={name}
          label={t(`settings.perm.${name}`)}
          checked={value.admin || value[name]}
          disabled={value.admin}
          onChange={({ target }) => onChange({ ...value, [name]: target.checked })}
        />
      ))}
    </fieldset>
  )
}
