import { t } from '../../../i18n/translate.ts'
import { LinesField } from '../lines-field.tsx'
import styles from './fields.module.css'
import { isKnownHook, orderHooks } from './hook-order.ts'

/** Returns the name of an event on screen, such as "Before Upload". Events that Stowage does not know keep their names. */
const titleOfEvent = (event: string): string => (isKnownHook(event) ? t(`settings.event.${event}`) : event)

type HookLines = Readonly<Record<string, readonly string[]>>

type HookLinesFieldProps = { readonly value: HookLines; readonly onChange: (value: HookLines) => void }

/** Renders the programs that run before and after changes, with one collapsible area for each event. */
export const HookLinesField = ({ value, onChange }: HookLinesFieldProps) => (
  <div className={styles.events}>
    {orderHooks(Object.keys(value)).map((event) => {
      const lines = value[event] ?? []
      return (
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
            onChange={(changed) => onChange({ ...value, [event]: changed })}
          />
        </details>
      )
    })}
  </div>
)
