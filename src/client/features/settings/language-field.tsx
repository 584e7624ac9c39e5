import { supportedLanguages } from '../../i18n/languages.ts'
import { t } from '../../i18n/translate.ts'
import { SelectField } from '../../ui/select-field.tsx'

type LanguageFieldProps = {
  /** A language tag, or an empty text for the language of the browser. */
  readonly value: string
  readonly onChange: (value: string) => void
  readonly disabled?: boolean
}

/**
 * Renders the list of languages, each by its own name. A language that is stored but has no texts stays in the list, so
 * that saving other fields does not change it.
 */
export function LanguageField({ value, onChange, disabled = false }: LanguageFieldProps) {
  const tags = [...new Set([...supportedLanguages, ...(value === '' ? [] : [value])])]
  return (
    <SelectField
      label={t('settings.language')}
      value={value}
      disabled={disabled}
      onChange={({ target }) => onChange(target.value)}
      options={[
        { value: '', label: t('settings.language.browser') },
        ...tags.map((tag) => ({ value: tag, label: nameOfLanguage(tag), lang: tag })),
      ]}
    />
  )
}

/** Returns the name of a language in the language itself, or its tag when the browser does not know it. */
function nameOfLanguage(tag: string): string {
  try {
    const name = new Intl.DisplayNames([tag], { type: 'language', fallback: 'code' }).of(tag) ?? tag
    return name.slice(0, 1).toLocaleUpperCase(tag) + name.slice(1)
  } catch {
    return tag
  }
}
