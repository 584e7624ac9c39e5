import { t } from '../../../i18n/translate.ts'
import { LinesField } from '../lines-field.tsx'
import { SettingsCard, SettingsForm } from '../settings-card.tsx'
import styles from './global-page.module.css'
import { isKnownHook, orderHooks } from './hook-order.ts'
import type { ServerSettings } from './settings-query.ts'
import type { SettingsDraft } from './use-settings-draft.ts'
import { useSettingsForm } from './use-settings-form.ts'

/** Returns the name of an event on screen, such as "Before Upload". Events that Stowage does not know keep their names. */
const titleOfEvent = (event: string): string => (isKnownHook(event) ? t(`settings.event.${event}`) : event)

const eventsOf = (commands: ServerSettings['commands']) =>
  orderHooks(Object.keys(commands)).map((event) => [event, commands[event] ?? []] as const)

/** Renders the programs that run before and after changes, with one collapsible area for each event. */
export const RunnerForm = ({ settings }: { readonly settings: SettingsDraft }) => (
  <SettingsCard title={t('settings.runner')} hint={t('settings.runner.hint')}>
    <SettingsForm {...useSettingsForm(settings, ['commands'])}>
      <div className={styles.events}>
        {eventsOf(settings.draft.commands).map(([event, lines]) => (
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
