import { formatDate } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { SelectField } from '../../ui/select-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { durationOf, durationUnits, type DurationUnit, type LinkFields } from './link-terms.ts'
import styles from './sharing.module.css'

type Duration = Pick<LinkFields, 'duration' | 'unit'>
type DurationFieldProps = Duration & {
  /** The end that the link keeps while no duration is typed, in ms since 1970; null when there is none. */
  readonly keptEndMs: number | null
  readonly error: string | null
  readonly onChange: (changed: Duration) => void
}

/** The durations that a button sets (ux 2.12). */
const presets = [
  { label: 'share.preset.hour', duration: '1', unit: 'hours' },
  { label: 'share.preset.day', duration: '1', unit: 'days' },
  { label: 'share.preset.week', duration: '7', unit: 'days' },
  { label: 'share.preset.month', duration: '30', unit: 'days' },
  { label: 'share.preset.never', duration: '', unit: 'hours' },
] as const

/** Returns true for two texts of the same number. The digits may be of different languages. */
const isSameDuration = (one: string, other: string): boolean => durationOf(one) === durationOf(other)

/** Renders the duration of a link: a number with its unit, and buttons for frequent ones. */
export function DurationField({ duration, unit, keptEndMs, error, onChange }: DurationFieldProps) {
  return (
    <div className={styles.duration}>
      <div className={styles.durationFields}>
        <TextField
          inputMode="numeric"
          autoComplete="off"
          label={t('share.duration')}
          hint={
            keptEndMs === null ? t('share.durationHint') : t('share.keptEnd', { date: formatDate(keptEndMs) })
          }
          error={error}
          value={duration}
          onChange={({ target }) => onChange({ duration: target.value, unit })}
        />
        <SelectField
          label={t('share.unit')}
          value={unit}
          options={durationUnits.map((value) => ({ value, label: t(`share.unit.${value}`) }))}
          onChange={({ target }) => onChange({ duration, unit: target.value as DurationUnit })}
        />
      </div>
      <fieldset className={styles.presets} aria-label={t('share.presets')}>
        {presets.map(({ label, ...preset }) => (
          <button
            key={label}
            type="button"
            className={styles.preset}
            aria-pressed={
              keptEndMs === null && isSameDuration(preset.duration, duration) && preset.unit === unit
            }
            onClick={() => onChange(preset)}
          >
            {t(label)}
          </button>
        ))}
      </fieldset>
    </div>
  )
}
