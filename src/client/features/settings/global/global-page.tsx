import { brandingFields } from '../../../../shared/contract/fields/branding-fields.ts'
import { pickMembers } from '../../../../shared/contract/fields/fields.ts'
import { settingFields, settingForms } from '../../../../shared/contract/setting-fields.ts'
import { config } from '../../../api/config.ts'
import { queryClient } from '../../../api/query-client.ts'
import { useSuspenseQuery } from '../../../api/use-query.ts'
import { useSave, type Refusal } from '../../../api/use-save.ts'
import { t } from '../../../i18n/translate.ts'
import { useFormDraft, type FormDraft } from '../../../state/drafts/use-form-draft.ts'
import { notify } from '../../../state/notices.ts'
import { classNames } from '../../../ui/class-names.ts'
import { explainFailure, refusedFieldOf } from '../failure-text.ts'
import { Fields } from '../form/fields.tsx'
import { reportMissingPrograms } from '../form/hook-queries.ts'
import { LeavePrompt } from '../leave-prompt.tsx'
import { SettingsCard, SettingsForm } from '../settings-card.tsx'
import { useDangerPrompt } from '../use-danger-prompt.tsx'
import { dangersOfSettings } from './dangers-of-settings.ts'
import styles from './global-page.module.css'
import { OptionsCard } from './options-card.tsx'
import { saveSettings, settingsQuery, type ServerSettings } from './settings-query.ts'

/**
 * Renders the settings of the server in three columns, which become one on narrow screens. All cards change one draft, and
 * each of them saves its own settings.
 */
export function GlobalPage() {
  const { data } = useSuspenseQuery(settingsQuery)
  const settings = useFormDraft(data)
  const isExecOn = config().EnableExec
  const { defaults, commands } = settingFields
  return (
    <div className={classNames(styles.page, isExecOn && styles.three)}>
      <SettingsCard title={t('settings.tab.global')} isPageTitle>
        <GlobalForm settings={settings} names={settingForms.general} />
      </SettingsCard>
      <SettingsCard title={t(defaults.texts.label)} hint={t(defaults.texts.hint)}>
        <GlobalForm settings={settings} names={settingForms.defaults} />
      </SettingsCard>
      {isExecOn && (
        <SettingsCard title={t(commands.texts.label)} hint={t(commands.texts.hint)}>
          <GlobalForm settings={settings} names={settingForms.hooks} />
        </SettingsCard>
      )}
      <OptionsCard />
      <LeavePrompt isDirty={settings.isChanged()} />
    </div>
  )
}

type GlobalFormProps = {
  readonly settings: FormDraft<ServerSettings>
  readonly names: (typeof settingForms)['general' | 'defaults' | 'hooks']
}

/** Renders and saves some of the settings. Changes of the other settings stay unsaved. */
function GlobalForm({ settings: { draft, base, change, isChanged, settle }, names }: GlobalFormProps) {
  const isDirty = isChanged(names)
  const { faults, failure, ...form } = useSave(draft, {
    send: async (now) => {
      const sent = { ...base, ...Object.fromEntries(names.map((name) => [name, now[name]])) }
      return { sent, ...(await saveSettings(base, sent)) }
    },
    onSaved: ({ sent, stored, changed }) => {
      settle(stored, sent)
      // The page may be opened again before the cache has dropped the settings that it loaded.
      queryClient.setQueryData(settingsQuery.queryKey, stored)
      const isOnlyHooks = changed.length === 1 && changed[0] === 'commands'
      if (changed.includes('commands') || changed.includes('shell')) void reportMissingPrograms()
      notify(t(isOnlyHooks ? 'settings.commandsUpdated' : 'settings.updated'))
    },
    explain,
  })
  const { submit, prompt } = useDangerPrompt(form.submit, () =>
    dangersOfSettings(base, { ...base, ...pickMembers(draft, names) }),
  )
  return (
    <>
      <SettingsForm {...form} submit={submit} isDirty={isDirty} failure={isDirty ? failure : null}>
        <Fields table={settingFields} names={names} values={draft} onChange={change} faults={faults} />
      </SettingsForm>
      {prompt}
    </>
  )
}

/** Returns what the form says about a failure. The sentence below the form stays when the refused field has changed. */
function explain(thrown: unknown): Refusal {
  const faults = { ...refusedFieldOf(thrown, settingFields), ...refusedFieldOf(thrown, brandingFields) }
  const isAtField = Object.keys(faults).length > 0
  return isAtField ? { faults, failure: t('settings.failed.invalid') } : explainFailure(thrown)
}
