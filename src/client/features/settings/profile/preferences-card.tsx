import { useState } from 'react'
import { t } from '../../../i18n/translate.ts'
import { savePreferences, type Preferences } from '../../../operations/save-preferences.ts'
import { notify } from '../../../state/notices.ts'
import { useUser } from '../../../state/session.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { LanguageField } from '../language-field.tsx'
import { LeavePrompt } from '../leave-prompt.tsx'
import { SettingsCard, SettingsForm } from '../settings-card.tsx'
import { useSave } from '../use-save.ts'

const switches = ['hideDotfiles', 'singleClick', 'dateFormat', 'redirectAfterCopyMove'] as const

/** Renders the preferences of the signed-in user, which act on every screen as soon as they are saved. */
export function PreferencesCard() {
  const user = useUser()
  const [changes, setChanges] = useState<Partial<Preferences>>({})
  const { isBusy, failure, save } = useSave()
  if (user === null) return null
  const now = { ...user, ...changes }
  const names = (Object.keys(changes) as (keyof Preferences)[]).filter((name) => changes[name] !== user[name])
  const isDirty = names.length > 0
  const submit = async (): Promise<void> => {
    const sent = Object.fromEntries(names.map((name) => [name, changes[name]])) as Partial<Preferences>
    if (isDirty && !(await save(() => savePreferences(sent)))) return
    setChanges((later) =>
      Object.fromEntries(
        Object.entries(later).filter(([name, value]) => sent[name as keyof Preferences] !== value),
      ),
    )
    notify(t('settings.updated'))
  }
  return (
    <SettingsCard title={t('settings.preferences')}>
      <SettingsForm isBusy={isBusy} isDirty={isDirty} failure={failure} onSubmit={() => void submit()}>
        {switches.map((name) => (
          <Checkbox
            key={name}
            label={t(`settings.${name}`)}
            checked={now[name]}
            onChange={({ target }) => setChanges((before) => ({ ...before, [name]: target.checked }))}
          />
        ))}
        <LanguageField
          value={now.locale}
          onChange={(locale) => setChanges((before) => ({ ...before, locale }))}
        />
      </SettingsForm>
      <LeavePrompt isDirty={isDirty} />
    </SettingsCard>
  )
}
