import { useId } from 'react'
import { sentences } from '../../../i18n/joined-texts.ts'
import { t } from '../../../i18n/translate.ts'
import { TextField } from '../../../ui/text-field.tsx'
import { useRuleCheck } from '../rules/use-rule-check.ts'

type ScopeFieldProps = {
  readonly label: string
  readonly value: string
  readonly onChange: (scope: string) => void
  /** A sentence about the suggested folder. */
  readonly note?: string | undefined
  readonly error: string | null
}

/**
 * Renders the field for the folder of a user. It offers the folders that are really on the server, and says when the
 * typed folder is not there.
 */
export function ScopeField({ label, value, onChange, note, error }: ScopeFieldProps) {
  const list = useId()
  const path = value.replace(/^(\.?\/)*(\.$)?/, '/')
  const answer = useRuleCheck({ rules: [], path, scope: '/' })
  const check = answer?.check
  // The offered names are in the folder that was asked for, which may not be the typed one any more.
  const asked = answer?.input.path ?? ''
  const folder = check?.isFolder === true && !asked.endsWith('/') ? `${asked}/` : asked.replace(/[^/]*$/, '')
  const absence = check?.isFolder === false && value !== '' ? t('settings.users.noFolder') : undefined
  const names = check?.entries.filter(({ isFolder }) => isFolder) ?? []
  return (
    <>
      <TextField
        label={label}
        value={value}
        list={list}
        dir="ltr"
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        hint={note !== undefined && absence !== undefined ? sentences(note, absence) : (note ?? absence)}
        error={error}
        onChange={({ target }) => onChange(target.value)}
      />
      <datalist id={list}>
        {names.map(({ name }) => (
          <option key={name} value={folder + name}>
            {folder + name}
          </option>
        ))}
      </datalist>
    </>
  )
}
