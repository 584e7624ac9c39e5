import { isAccent, unreadableThemes } from '../../../../shared/domain/colors/accent.ts'
import { sentences } from '../../../i18n/joined-texts.ts'
import { t } from '../../../i18n/translate.ts'
import { TextField } from '../../../ui/text-field.tsx'
import styles from './color-fields.module.css'
import { isFrameColor } from './frame-color.ts'
import { pickerColorOf } from './picker-color.ts'

type ColorInputProps = {
  readonly label: string
  readonly hint: string | undefined
  readonly placeholder: string | undefined
  readonly value: string
  readonly onChange: (value: string) => void
  readonly error: string | null
}

/** Renders the field for the colour of the browser's frame, which may be any colour of CSS. */
export const FrameColorInput = (props: ColorInputProps) => (
  <ColorField {...props} error={isFrameColor(props.value) ? null : t('settings.failed.color')} />
)

/** Renders the field for the accent, and says in which theme links get another shade so that they can be read. */
export function AccentInput(props: ColorInputProps) {
  const { value, hint } = props
  const isValid = isAccent(value)
  const themes = isValid && value !== '' ? unreadableThemes(value) : []
  return (
    <ColorField
      {...props}
      hint={themes.reduce(
        (text, theme) => sentences(text, t(`settings.accent.unreadable.${theme}`)),
        hint ?? '',
      )}
      error={isValid ? null : t('settings.failed.accent')}
    />
  )
}

/** Renders a text field for a colour beside the picker of the browser. The form is not sent while its text is no colour. */
function ColorField({ label, hint, placeholder, value, onChange, error }: ColorInputProps) {
  return (
    <div className={styles.row}>
      <TextField
        dir="ltr"
        spellCheck={false}
        className={styles.text}
        label={label}
        hint={hint}
        placeholder={placeholder}
        value={value}
        error={error}
        {...(error !== null && { 'data-unsendable': '' })}
        onChange={({ target }) => onChange(target.value)}
      />
      <input
        type="color"
        className={styles.picker}
        aria-label={t('settings.color.pick', { label })}
        title={t('settings.color.pick', { label })}
        value={pickerColorOf(error === null && value !== '' ? value : (placeholder ?? ''))}
        onChange={({ target }) => onChange(target.value)}
      />
    </div>
  )
}
