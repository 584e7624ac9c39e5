import { config } from '../../../api/config.ts'
import { t } from '../../../i18n/translate.ts'
import { classNames } from '../../../ui/class-names.ts'
import { LeavePrompt } from '../leave-prompt.tsx'
import { SettingsCard, SettingsForm } from '../settings-card.tsx'
import { RuleEditor } from '../rules/rule-editor.tsx'
import { WordsField } from '../words-field.tsx'
import { AccessFields } from './access-fields.tsx'
import { BrandingFields } from './branding-fields.tsx'
import { DefaultsForm } from './defaults-form.tsx'
import styles from './global-page.module.css'
import { OptionsCard } from './options-card.tsx'
import { RunnerForm } from './runner-form.tsx'
import { UploadFields } from './upload-fields.tsx'
import { useSettingsDraft } from './use-settings-draft.ts'
import { useSettingsForm } from './use-settings-form.ts'

const generalSettings = [
  'signup',
  'createUserDir',
  'userHomeBasePath',
  'minimumPasswordLength',
  'hideLoginButton',
  'auditDays',
  'rules',
  'shell',
  'branding',
  'tus',
] as const

/** Renders the settings of the server in three columns, which become one on narrow screens. */
export function GlobalPage() {
  const settings = useSettingsDraft()
  const { draft, change, isChanged } = settings
  const isExecOn = config().EnableExec
  const form = useSettingsForm(settings, generalSettings)
  const isAnyDirty = form.isDirty || isChanged(['defaults', 'commands'])
  return (
    <div className={classNames(styles.page, isExecOn && styles.three)}>
      <SettingsCard title={t('settings.tab.global')} isPageTitle>
        <SettingsForm {...form}>
          <AccessFields settings={settings} refused={form.refused} />
          <h2 className={styles.heading}>{t('settings.rules')}</h2>
          <RuleEditor
            hint={t('settings.rules.hint')}
            value={draft.rules}
            onChange={(rules) => change({ rules })}
            isRefused={form.refused === 'rules'}
          />
          {isExecOn && (
            <>
              <h2 className={styles.heading}>{t('settings.shell')}</h2>
              <WordsField
                label={t('settings.shell.program')}
                hint={t('settings.shell.hint')}
                placeholder={t('settings.shell.example')}
                value={draft.shell}
                onChange={(shell) => change({ shell })}
              />
            </>
          )}
          <h2 className={styles.heading}>{t('settings.branding')}</h2>
          <p className={styles.hint}>{t('settings.branding.hint')}</p>
          <BrandingFields settings={settings} refused={form.refused} />
          <h2 className={styles.heading}>{t('settings.uploads')}</h2>
          <UploadFields settings={settings} />
        </SettingsForm>
      </SettingsCard>
      <DefaultsForm settings={settings} />
      {isExecOn && <RunnerForm settings={settings} />}
      <OptionsCard />
      <LeavePrompt isDirty={isAnyDirty} />
    </div>
  )
}
