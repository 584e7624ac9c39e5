import { languageNames, languageTags } from '../../i18n/language-list.ts'
import { t } from '../../i18n/translate.ts'
import { SelectField } from '../../ui/select-field.tsx'

type LanguageFieldProps = {
  readonly label: string
  /** A language tag, or an empty text for the language of the browser. */
  readonly value: string
  readonly onChange: (value: string) => void
}

/**
 * Renders the list of languages, each by its own name. A language that is stored but has no texts stays in the list, so
 * that saving other fields does not change it.
 */
export function LanguageField({ label, value, onChange }: LanguageFieldProps) {
  const chosen = languageTags.find((tag) => tag === value.toLowerCase()) ?? value
  const others = chosen === '' || chosen in languageNames ? [] : [{ value, label: value }]
  return (
    <SelectField
      label={label}
      value={chosen}
      onChange={({ target }) => onChange(target.value)}
      options={[
        { value: '', label: t('settings.language.browser') },
        ...languageTags.map((tag) => ({ value: tag, label: languageNames[tag], lang: tag })),
        ...others,
      ]}
    />
  )
}
