import { useId } from 'react'
import { sentences } from '../../../i18n/joined-texts.ts'
import { t } from '../../../i18n/translate.ts'
import { TextField } from '../../../ui/text-field.tsx'
import { useKnownPaths } from '../rules/use-known-paths.ts'

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
  const { check, paths } = useKnownPaths(path, '/')
  const absence = check?.isFolder === false && value !== '' ? t('settings.users.noFolder') : undefined
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
        {paths
          .filter(({ isFolder }) => isFolder)
          .map((folder) => (
            <option key={folder.path} value={folder.path}>
              {folder.path}
            </option>
          ))}
      </datalist>
    </>
  )
}
