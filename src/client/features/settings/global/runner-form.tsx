import { t } from '../../../i18n/translate.ts'
import { LinesField } from '../lines-field.tsx'
import { SettingsCard, SettingsForm } from '../settings-card.tsx'
import styles from './global-page.module.css'
import type { SettingsDraft } from './use-settings-draft.ts'

/** The names of the events that Stowage knows. They are translated; other events keep their names. */
const knownEvent = /^(before|after)_(copy|delete|rename|save|upload)$/

/** Returns the name of an event on screen, such as "Before Upload". */
const titleOfEvent = (event: string): string =>
  knownEvent.test(event) ? t(`settings.event.${event}`) : event

/** Renders the programs that run before and after changes, with one collapsible area for each event. */
export const RunnerForm = ({ settings }: { readonly settings: SettingsDraft }) => (
  <SettingsCard title={t('settings.runner')} hint={t('settings.runner.hint')}>
    <SettingsForm
      isBusy={settings.isBusy}
      isDirty={settings.isChanged(['commands'])}
      failure={settings.isChanged(['commands']) ? settings.failure : null}
      onSubmit={() => void settings.save()}
    >
      <div className={styles.events}>
        {Object.entries(settings.draft.commands).map(([event, lines]) => (
          <details key={event} className={styles.event}>
            <summary>
              {titleOfEvent(event)}
              {lines.length > 0 && (
                <span className={styles.count}>{t('settings.runner.count', { count: lines.length })}</span>
              )}
            </summary>
            <LinesField
              label={t('settings.runner.lines', { event: titleOfEvent(event) })}
              isLabelHidden
              value={lines}
              onChange={(value) =>
                settings.change({ commands: { ...settings.draft.commands, [event]: value } })
              }
            />
          </details>
        ))}
      </div>
    </SettingsForm>
  </SettingsCard>
)
