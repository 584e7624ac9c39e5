import type { UserDefaults } from '../../../../shared/contract/user-fields.ts'
import { config } from '../../../api/config.ts'
import { t } from '../../../i18n/translate.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { LanguageField } from '../language-field.tsx'
import { PermissionFields } from '../permission-fields.tsx'
import { QuotaField } from '../quota-field.tsx'
import { SettingsCard, SettingsForm } from '../settings-card.tsx'
import { WordsField } from '../words-field.tsx'
import type { SettingsDraft } from './use-settings-draft.ts'
import { useSettingsForm } from './use-settings-form.ts'

const viewModes = [
  ['list', 'settings.viewMode.list'],
  ['mosaic', 'settings.viewMode.mosaic'],
  ['mosaic gallery', 'settings.viewMode.gallery'],
] as const

const switches = ['hideDotfiles', 'singleClick', 'dateFormat', 'redirectAfterCopyMove'] as const

/** Renders the values that new users start with. */
export function DefaultsForm({ settings }: { readonly settings: SettingsDraft }) {
  const { defaults } = settings.draft
  const form = useSettingsForm(settings, ['defaults'])
  const set = (changes: Partial<UserDefaults>): void =>
    settings.change({ defaults: { ...defaults, ...changes } })
  return (
    <SettingsCard title={t('settings.defaults')} hint={t('settings.defaults.hint')}>
      <SettingsForm {...form}>
        <TextField
          label={t('settings.scope')}
          value={defaults.scope}
          dir="ltr"
          spellCheck={false}
          onChange={({ target }) => set({ scope: target.value })}
        />
        <LanguageField value={defaults.locale} onChange={(locale) => set({ locale })} />
        <SelectField
          label={t('settings.viewMode')}
          value={defaults.viewMode}
          options={viewModes.map(([value, label]) => ({ value, label: t(label) }))}
          onChange={({ target }) => set({ viewMode: target.value as UserDefaults['viewMode'] })}
        />
        {switches.map((name) => (
          <Checkbox
            key={name}
            label={t(`settings.${name}`)}
            checked={defaults[name]}
            onChange={({ target }) => set({ [name]: target.checked })}
          />
        ))}
        <QuotaField valueBytes={defaults.quotaBytes} onChange={(quotaBytes) => set({ quotaBytes })} />
        <PermissionFields value={defaults.perm} onChange={(perm) => set({ perm })} />
        {config().EnableExec && (
          <WordsField
            label={t('settings.userCommands')}
            hint={t('settings.userCommands.hint')}
            placeholder={t('settings.userCommands.example')}
            value={defaults.commands}
            onChange={(commands) => set({ commands })}
          />
        )}
      </SettingsForm>
    </SettingsCard>
  )
}
