import { Check, CircleCheck, Lock } from 'lucide'
import type { RuleCheck } from '../../../../shared/contract/users.ts'
import { t } from '../../../i18n/translate.ts'
import { FileName } from '../../../ui/file-name.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { ScrollArea } from '../../../ui/scroll-area.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import styles from './rule-editor.module.css'

type RuleTesterProps = {
  /** The path to try. Empty while nothing is tried. */
  readonly path: string
  readonly onChange: (path: string) => void
  readonly check: RuleCheck | null
  /** The number of rules that are applied before the edited ones. */
  readonly before: number
}

/** Renders a field for a path, what the rules decide about it, and about the entries that are really there. */
export function RuleTester({ path, onChange, check, before }: RuleTesterProps) {
  const reasonOf = (rule: number | null): string =>
    rule === null
      ? t('settings.rules.test.none')
      : rule < before
        ? t('settings.rules.test.global', { number: rule + 1 })
        : t('settings.rules.test.own', { number: rule - before + 1 })
  return (
    <div className={styles.tester}>
      <TextField
        label={t('settings.rules.test')}
        placeholder="/"
        spellCheck={false}
        autoCapitalize="none"
        dir="ltr"
        value={path}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) event.preventDefault()
        }}
        onChange={({ target }) => onChange(target.value)}
      />
      <output className={styles.status}>
        {check !== null && (
          <span className={styles.verdict} data-allowed={check.isAllowed}>
            <Icon icon={check.isAllowed ? CircleCheck : Lock} size={16} />
            {t(check.isAllowed ? 'settings.rules.test.allowed' : 'settings.rules.test.denied', {
              reason: reasonOf(check.rule),
            })}
            {!check.isFound && ` – ${t('settings.rules.test.absent')}`}
          </span>
        )}
        {check?.faults.map(({ rule, kind }) => (
          <span key={rule} className={styles.fault}>
            {t(rule < before ? 'settings.rules.test.fault' : 'settings.rules.test.ownFault', {
              number: rule < before ? rule + 1 : rule - before + 1,
              fault: t(`settings.rules.fault.${kind}`),
            })}
          </span>
        ))}
      </output>
      {check !== null && check.entries.length > 0 && (
        <ScrollArea className={styles.entries} label={t('settings.rules.test.entries')}>
          <ul className={styles.list}>
            {check.entries.map(({ name, isFolder, isAllowed, rule }) => (
              <li key={name} data-allowed={isAllowed} className={styles.entry}>
                <Icon icon={isAllowed ? Check : Lock} size={16} />
                <FileName name={isFolder ? `${name}/` : name} />
                <span className={styles.reason}>
                  {t(isAllowed ? 'settings.rules.test.allowed' : 'settings.rules.test.denied', {
                    reason: reasonOf(rule),
                  })}
                </span>
              </li>
            ))}
          </ul>
        </ScrollArea>
      )}
    </div>
  )
}
