import { useState } from 'react'
import type { AccessRule } from '../../../../shared/domain/access.ts'
import { t } from '../../../i18n/translate.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import styles from './global-page.module.css'

type RuleRowsProps = {
  readonly value: readonly AccessRule[]
  readonly onChange: (rules: readonly AccessRule[]) => void
  /** True when the server refused the rules. */
  readonly isRefused: boolean
}

const newRule: AccessRule = { allow: true, regex: false, path: '', regexp: { raw: '' } }

/** Renders the rules that hold for all users, and lets the administrator add and remove them. Later rules win. */
export function RuleRows({ value, onChange, isRefused }: RuleRowsProps) {
  // Rules have no id, so each row gets a number that stays with it when another row is removed.
  const [keys, setKeys] = useState<readonly number[]>([])
  const keyOf = (index: number): number => keys[index] ?? index
  const replaceAt = (index: number, changes: Partial<AccessRule>): void =>
    onChange(value.map((rule, at) => (at === index ? { ...rule, ...changes } : rule)))
  const removeAt = (index: number): void => {
    const shown = value.map((_, at) => keyOf(at))
    setKeys([...shown.slice(0, index), ...shown.slice(index + 1)])
    onChange(value.filter((_, at) => at !== index))
  }
  const add = (): void => {
    const shown = value.map((_, at) => keyOf(at))
    setKeys([...shown, Math.max(-1, ...shown) + 1])
    onChange([...value, newRule])
  }
  return (
    <>
      <p className={styles.hint}>{t('settings.rules.hint')}</p>
      {value.length > 0 && (
        <ol className={styles.rules}>
          {value.map((rule, index) => (
            <li key={keyOf(index)}>
              <RuleRow
                rule={rule}
                number={index + 1}
                onChange={(changes) => replaceAt(index, changes)}
                onRemove={() => removeAt(index)}
              />
            </li>
          ))}
        </ol>
      )}
      {isRefused && (
        <p role="alert" className={styles.refused}>
          {t('settings.rules.refused')}
        </p>
      )}
      <div>
        <Button icon="plus" onClick={add}>
          {t('settings.rules.new')}
        </Button>
      </div>
    </>
  )
}

type RuleRowProps = {
  readonly rule: AccessRule
  readonly number: number
  readonly onChange: (changes: Partial<AccessRule>) => void
  readonly onRemove: () => void
}

function RuleRow({ rule, number, onChange, onRemove }: RuleRowProps) {
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
      <IconButton icon="close" label={t('settings.rules.remove', { number })} onClick={onRemove} />
      <TextField
        className={styles.ruleText}
        label={t(rule.regex ? 'settings.rules.expression' : 'settings.rules.path')}
        isLabelHidden
        placeholder={t(rule.regex ? 'settings.rules.expression' : 'settings.rules.path')}
        spellCheck={false}
        autoCapitalize="none"
        dir="ltr"
        value={rule.regex ? (rule.regexp?.raw ?? '') : rule.path}
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
