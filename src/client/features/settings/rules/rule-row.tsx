import { ArrowDown, ArrowUp, X } from 'lucide'
import type { RuleCheck } from '../../../../shared/contract/users.ts'
import type { AccessRule } from '../../../../shared/domain/access.ts'
import { t } from '../../../i18n/translate.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import styles from './rule-editor.module.css'

type RuleRowProps = {
  readonly rule: AccessRule
  /** The position in the list, from 1. */
  readonly number: number
  /** The reason why the server would refuse the rule, or null. */
  readonly fault: RuleCheck['faults'][number]['kind'] | null
  readonly onChange: (changes: Partial<AccessRule>) => void
  /** Moves the rule. Null at the end of the list. */
  readonly onUp: (() => void) | null
  readonly onDown: (() => void) | null
  readonly onRemove: () => void
}

/**
 * Renders one rule. Enter in its text field does nothing (specification 2). A rule without a text would match every path
 * and override all rules above it, so that the form with the rule is not saved.
 */
export function RuleRow({ rule, number, fault, onChange, onUp, onDown, onRemove }: RuleRowProps) {
  const label = t(rule.regex ? 'settings.rules.expression' : 'settings.rules.path')
  const text = rule.regex ? (rule.regexp?.raw ?? '') : rule.path
  const error = text === '' ? 'settings.rules.empty' : fault && (`settings.rules.fault.${fault}` as const)
  return (
    <fieldset className={styles.rule}>
      <legend className="visually-hidden">{t('settings.rules.number', { number })}</legend>
      <Checkbox
        label={t('settings.rules.regex')}
        checked={rule.regex}
        onChange={({ target }) => onChange({ regex: target.checked, regexp: rule.regexp ?? { raw: '' } })}
      />
      <Checkbox
        label={t('settings.rules.allow')}
        checked={rule.allow}
        onChange={({ target }) => onChange({ allow: target.checked })}
      />
      <div className={styles.buttons}>
        <IconButton
          icon={ArrowUp}
          label={t('settings.rules.up', { number })}
          disabled={onUp === null}
          onClick={() => onUp?.()}
        />
        <IconButton
          icon={ArrowDown}
          label={t('settings.rules.down', { number })}
          disabled={onDown === null}
          onClick={() => onDown?.()}
        />
        <IconButton icon={X} label={t('settings.rules.remove', { number })} onClick={onRemove} />
      </div>
      <TextField
        className={styles.ruleText}
        label={label}
        isLabelHidden
        placeholder={label}
        spellCheck={false}
        autoCapitalize="none"
        dir="ltr"
        error={error && t(error)}
        {...(error !== null && { 'data-unsendable': '' })}
        value={text}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) event.preventDefault()
        }}
        onChange={({ target }) =>
          onChange(rule.regex ? { regexp: { raw: target.value } } : { path: target.value })
        }
      />
    </fieldset>
  )
}
