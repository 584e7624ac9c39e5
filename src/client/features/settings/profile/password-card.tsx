import { useState } from 'react'
import { Eye, EyeOff } from 'lucide'
import { config } from '../../../api/config.ts'
import { t } from '../../../i18n/translate.ts'
import { useUser } from '../../../state/session.ts'
import { classNames } from '../../../ui/class-names.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { SettingsCard, SettingsForm } from '../settings-card.tsx'
import { passwordLengthText } from '../password-length-text.ts'
import { passwordStrength } from './password-strength.ts'
import styles from './profile-page.module.css'
import { asksForCurrentPassword, usePasswordChange } from './use-password-change.ts'

/**
 * Renders the form for a new password. It is missing for users whose password is locked, and on a server without a login,
 * where no password is used.
 */
export function PasswordCard() {
  const user = useUser()
  const { fields, type: change, faults, ...form } = usePasswordChange(user)
  const [isShown, setShown] = useState(false)
  const { current, password, confirmation } = fields
  if (user === null || user.lockPassword || config().NoAuth) return null
  const match = confirmation === '' ? undefined : password === confirmation ? 'yes' : 'no'
  const type = isShown ? 'text' : 'password'
  return (
    <SettingsCard title={t('settings.password')} hint={t('settings.password.hint')}>
      <SettingsForm {...form} isDirty={false}>
        <div className={styles.fields}>
          {/* Password managers need the name to store the new password for the right account. */}
          <input type="text" name="username" autoComplete="username" value={user.username} readOnly hidden />
          {asksForCurrentPassword() && (
            <TextField
              type={type}
              label={t('settings.password.current')}
              autoComplete="current-password"
              value={current}
              error={faults['current'] ?? null}
              onChange={({ target }) => change({ current: target.value })}
            />
          )}
          <TextField
            type={type}
            label={t('settings.password.new')}
            autoComplete="new-password"
            value={password}
            error={faults['password'] ?? null}
            hint={passwordHint(password)}
            data-match={match}
            onChange={({ target }) => change({ password: target.value })}
            end={
              <IconButton
                icon={isShown ? EyeOff : Eye}
                label={t(isShown ? 'login.hidePassword' : 'login.showPassword')}
                onClick={() => setShown(!isShown)}
              />
            }
          />
          <TextField
            type={type}
            label={t('settings.password.confirm')}
            autoComplete="new-password"
            value={confirmation}
            data-match={match}
            hint={<MatchNote match={match} />}
            onChange={({ target }) => change({ confirmation: target.value })}
          />
        </div>
      </SettingsForm>
    </SettingsCard>
  )
}

/** Returns the required length while a password is too short, and then an estimate of its strength. */
function passwordHint(password: string): string {
  if (Array.from(password).length < config().MinimumPasswordLength) return passwordLengthText()
  return password === '' ? '' : t(`settings.strength.${passwordStrength(password)}`)
}

/** Says whether the confirmation is the same as the new password. The line keeps its place while it is empty. */
const MatchNote = ({ match }: { readonly match: 'yes' | 'no' | undefined }) => (
  <output
    className={classNames(styles.match, match === 'yes' && styles.same, match === 'no' && styles.different)}
  >
    {match !== undefined && t(match === 'yes' ? 'settings.password.match' : 'login.mismatch')}
  </output>
)
