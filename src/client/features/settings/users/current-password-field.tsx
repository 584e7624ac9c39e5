import type { Ref } from 'react'
import { t } from '../../../i18n/translate.ts'
import { TextField } from '../../../ui/text-field.tsx'
import { asksForCurrentPassword } from '../profile/use-password-change.ts'

type CurrentPasswordFieldProps = {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly error: string | null
  readonly ref?: Ref<HTMLInputElement>
}

/** Renders the field for the administrator's own password. Where nobody logs in with a password, there is no field. */
export function CurrentPasswordField({ value, onChange, error, ref }: CurrentPasswordFieldProps) {
  if (!asksForCurrentPassword()) return null
  return (
    <TextField
      {...(ref !== undefined && { ref })}
      label={t('settings.password.current')}
      hint={t('settings.users.whyPassword')}
      type="password"
      autoComplete="current-password"
      value={value}
      error={error}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}
