import { useState, type KeyboardEvent, type ReactNode } from 'react'
import { formatNumber, parseCount, parseDecimal } from '../../i18n/later-formats.ts'
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

/** One byte of a quota in gigabytes needs nine decimals. */
const decimals = 9

/**
 * Renders a field for a number in the digits and separators of any language, which the browser's own field for numbers
 * refuses. The vertical arrow keys count. A form with a number outside of its range is not sent (`SettingsForm`).
 */
export function NumberField(props: NumberFieldProps) {
  const { label, value, onChange, range, step = 1, isOptional = false, hint } = props
  const [least, most] = range
  const shown = value === null ? '' : formatNumber(value, decimals)
  const [typed, setTyped] = useState<string | null>(null)
  const read = (text: string): number | null | undefined => {
    if (text === '') return isOptional ? null : undefined
    const number = step === 'any' ? parseDecimal(text) : parseCount(text)
    return number !== null && number >= least && number <= most ? number : undefined
  }
  const isShown = (number: number | null): boolean =>
    (number === null ? '' : formatNumber(number, decimals)) === shown
  const typedNumber = typed === null ? undefined : read(typed)
  // The typed text is replaced when the server has answered with another number.
  const text = typed !== null && (typedNumber === undefined || isShown(typedNumber)) ? typed : shown
  // A value of the server that was set in another way may be outside of the range, and can be saved as it is.
  const isWrong = text === typed && typedNumber === undefined
  const onKeyDown = (event: KeyboardEvent): void => {
    const change = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0
    if (change === 0) return
    event.preventDefault()
    setTyped(null)
    onChange(Math.min(Math.max((value ?? 0) + change * (step === 'any' ? 1 : step), least), most))
  }
  return (
    <TextField
      inputMode={step === 'any' ? 'decimal' : 'numeric'}
      autoComplete="off"
      label={label}
      hint={hint}
      value={text}
      error={isWrong ? t('settings.failed.range', { least, most }) : null}
      {...(isWrong && { 'data-unsendable': '' })}
      onKeyDown={onKeyDown}
      onChange={({ target }) => {
        setTyped(target.value)
        const number = read(target.value)
        if (number !== undefined) onChange(number)
      }}
    />
  )
}
