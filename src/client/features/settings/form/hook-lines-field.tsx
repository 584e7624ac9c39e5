import { TriangleAlert } from 'lucide'
import { t } from '../../../i18n/translate.ts'
import { Icon } from '../../../ui/icon.tsx'
import { LinesField } from '../lines-field.tsx'
import styles from './fields.module.css'
import { HookLineList } from './hook-line-list.tsx'
import { isKnownHook, orderHooks } from './hook-order.ts'
import { useHookWarnings } from './hook-queries.ts'

/** Returns the name of an event on screen, such as "Before Upload". Events that Stowage does not know keep their names. */
const titleOfEvent = (event: string): string => (isKnownHook(event) ? t(`settings.event.${event}`) : event)

type HookLines = Readonly<Record<string, readonly string[]>>

type HookLinesFieldProps = { readonly value: HookLines; readonly onChange: (value: HookLines) => void }

/** Renders the programs that run before and after changes, with one collapsible area for each event. */
export function HookLinesField({ value, onChange }: HookLinesFieldProps) {
  const warningOf = useHookWarnings()
  return (
    <div className={styles.events}>
      {orderHooks(Object.keys(value)).map((event) => {
        const lines = value[event] ?? []
        const warnings = lines.filter((line) => warningOf(event, line) !== null).length
        return (
          <details key={event} className={styles.event}>
            <summary>
              {titleOfEvent(event)}
              {lines.length > 0 && (
                <span className={styles.count}>{t('settings.runner.count', { count: lines.length })}</span>
              )}
              {warnings > 0 && (
                <span className={styles.warnings}>
                  <Icon icon={TriangleAlert} size={14} />
                  {t('settings.hook.warnings', { count: warnings })}
                </span>
              )}
            </summary>
            <LinesField
              label={t('settings.runner.lines', { event: titleOfEvent(event) })}
              isLabelHidden
              value={lines}
              onChange={(changed) => onChange({ ...value, [event]: changed })}
            />
            {lines.length > 0 && <HookLineList event={event} lines={lines} warningOf={warningOf} />}
          </details>
        )
      })}
    </div>
  )
}
