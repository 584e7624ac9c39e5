import { useState, type KeyboardEvent, type Ref } from 'react'
import { formatNumber, parseCount } from '../../../i18n/later-formats.ts'
import { t } from '../../../i18n/translate.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import type { RenameRule } from './new-names.ts'
import styles from './batch-rename.module.css'

type ReplacementRule = Extract<RenameRule, { readonly kind: 'replace' }>
type PatternRule = Extract<RenameRule, { readonly kind: 'pattern' }>

export const firstReplacement: ReplacementRule = {
  kind: 'replace',
  find: '',
  replacement: '',
  isExpression: false,
  ignoresCase: false,
  includesExtension: false,
}
export const firstPattern: PatternRule = { kind: 'pattern', pattern: '{name} {n}', start: 1, digits: 2 }

/** The highest first number and the highest number of digits that the fields accept. */
const maxStart = 1_000_000
const maxDigits = 9

export type RenameRules = { readonly replace: ReplacementRule; readonly pattern: PatternRule }

type RuleFieldsProps = {
  /** The kind of the rule that applies. */
  readonly kind: RenameRule['kind']
  readonly rules: RenameRules
  /** The reference to the field that gets the focus first. */
  readonly firstField: Ref<HTMLInputElement>
  /** False when the rule contains an invalid regular expression. */
  readonly isValid: boolean
  readonly onKind: (kind: RenameRule['kind']) => void
  readonly onChange: (rule: RenameRule) => void
}

/**
 * Renders the choice between the two kinds of rules, and the fields of the chosen one. The other fields are hidden, so
 * that the focus stays on the choice.
 */
export const RuleFields = ({ kind, rules, firstField, isValid, onKind, onChange }: RuleFieldsProps) => (
  <>
    <fieldset className={styles.kinds}>
      <legend className="visually-hidden">{t('buttons.rename')}</legend>
      {(['replace', 'pattern'] as const).map((one) => (
        <label key={one} className={styles.kind}>
          <input type="radio" name="kind" checked={kind === one} onChange={() => onKind(one)} />
          {t(`prompt.renameSeveral.${one}`)}
        </label>
      ))}
    </fieldset>
    <div className={styles.rule} hidden={kind !== 'replace'}>
      <ReplacementFields rule={rules.replace} firstField={firstField} isValid={isValid} onChange={onChange} />
    </div>
    <div className={styles.rule} hidden={kind !== 'pattern'}>
      <PatternFields rule={rules.pattern} onChange={onChange} />
    </div>
  </>
)

type ReplacementFieldsProps = Pick<RuleFieldsProps, 'firstField' | 'isValid' | 'onChange'> & {
  readonly rule: ReplacementRule
}

const ReplacementFields = ({ rule, firstField, isValid, onChange }: ReplacementFieldsProps) => (
  <>
    <div className={styles.fields}>
      <TextField
        {...nameFieldProps}
        ref={firstField}
        label={t('prompt.renameSeveral.find')}
        value={rule.find}
        error={isValid ? null : t('prompt.renameSeveral.invalid')}
        onChange={({ target }) => onChange({ ...rule, find: target.value })}
      />
      <TextField
        {...nameFieldProps}
        label={t('prompt.renameSeveral.replacement')}
        value={rule.replacement}
        onChange={({ target }) => onChange({ ...rule, replacement: target.value })}
      />
    </div>
    <div className={styles.options}>
      <Checkbox
        label={t('prompt.renameSeveral.expression')}
        checked={rule.isExpression}
        onChange={({ target }) => onChange({ ...rule, isExpression: target.checked })}
      />
      <Checkbox
        label={t('prompt.renameSeveral.case')}
        checked={rule.ignoresCase}
        onChange={({ target }) => onChange({ ...rule, ignoresCase: target.checked })}
      />
      <Checkbox
        label={t('prompt.renameSeveral.extension')}
        checked={rule.includesExtension}
        onChange={({ target }) => onChange({ ...rule, includesExtension: target.checked })}
      />
    </div>
  </>
)

type PatternFieldsProps = Pick<RuleFieldsProps, 'onChange'> & { readonly rule: PatternRule }

const PatternFields = ({ rule, onChange }: PatternFieldsProps) => (
  <>
    <TextField
      {...nameFieldProps}
      label={t('prompt.renameSeveral.format')}
      hint={t('prompt.renameSeveral.formatHint')}
      value={rule.pattern}
      onChange={({ target }) => onChange({ ...rule, pattern: target.value })}
    />
    <div className={styles.fields}>
      <CountField
        range={[0, maxStart]}
        label={t('prompt.renameSeveral.start')}
        value={rule.start}
        onChange={(start) => onChange({ ...rule, start })}
      />
      <CountField
        range={[1, maxDigits]}
        label={t('prompt.renameSeveral.digits')}
        value={rule.digits}
        onChange={(digits) => onChange({ ...rule, digits })}
      />
    </div>
  </>
)

type CountFieldProps = {
  readonly label: string
  readonly value: number
  /** The lowest and the highest number. */
  readonly range: readonly [min: number, max: number]
  readonly onChange: (value: number) => void
}

/**
 * Renders a field for a whole number in the digits of any language, which the browser's own field for numbers refuses. The
 * vertical arrow keys count. The lowest number applies while the text is no number.
 */
function CountField({ label, value, range: [min, max], onChange }: CountFieldProps) {
  const [text, setText] = useState<string | null>(null)
  const change = (next: number): void => onChange(Math.min(Math.max(next, min), max))
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    setText(null)
    change(value + step)
  }
  return (
    <TextField
      inputMode="numeric"
      autoComplete="off"
      label={label}
      value={text ?? formatNumber(value, 0)}
      onKeyDown={onKeyDown}
      onBlur={() => setText(null)}
      onChange={({ target }) => {
        setText(target.value)
        change(parseCount(target.value) ?? min)
      }}
    />
  )
}

const nameFieldProps = { autoComplete: 'off', autoCapitalize: 'off', spellCheck: false, dir: 'auto' } as const
