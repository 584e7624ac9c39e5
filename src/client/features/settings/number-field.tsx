import { useState, type ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import { TextField } from '../../ui/text-field.tsx'

type NumberFieldProps = {
  readonly label: string
  /** Null for an empty field, where `isOptional` allows it. */
  readonly value: number | null
  readonly onChange: (value: number | null) => void
  readonly range: readonly [least: number, most: number]
  readonly step?: number | 'any'
  readonly isOptional?: boolean
  readonly hint?: ReactNode
}

/** Renders a field for a number. A form with a number outside of its range is not sent (`SettingsForm`). */
export function NumberField(props: NumberFieldProps) {
  const { label, value, onChange, range, step = 1, isOptional = false, hint } = props
  const [least, most] = range
  const shown = value === null ? '' : String(value)
  const [typed, setTyped] = useState<string | null>(null)
  const read = (text: string): number | null | undefined => {
    if (text === '') return isOptional ? null : undefined
    const number = Number(text)
    const isWhole = step === 'any' || Number.isInteger(number)
    return isWhole && number >= least && number <= most ? number : undefined
  }
  const text = typed !== null && (read(typed) === undefined || read(typed) === value) ? typed : shown
  const isWrong = read(text) === undefined
  return (
    <TextField
      type="number"
      inputMode={step === 'any' ? 'decimal' : 'numeric'}
      label={label}
      hint={hint}
      min={least}
      max={most}
      step={step}
      value={text}
      error={isWrong ? t('settings.failed.range', { least, most }) : null}
      {...(isWrong && { 'data-unsendable': '' })}
      onChange={({ target }) => {
        setTyped(target.value)
        const number = read(target.value)
        if (number !== undefined) onChange(number)
      }}
    />
  )
}
