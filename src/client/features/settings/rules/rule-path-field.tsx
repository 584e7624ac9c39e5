import { useId, useState, type ComponentProps } from 'react'
import { TextField } from '../../../ui/text-field.tsx'
import { useKnownPaths } from './use-known-paths.ts'

type RulePathFieldProps = Omit<ComponentProps<typeof TextField>, 'value' | 'onChange'> & {
  readonly value: string
  readonly onChange: (path: string) => void
  /** The folder in which the path begins. Null for the folder of the administrator. */
  readonly scope: string | null
}

/**
 * Renders a field for a path in the folder of a user. While it has the focus, it offers the entries that are really there. Enter
 * does nothing (specification 2).
 */
export function RulePathField({ value, onChange, scope, ...field }: RulePathFieldProps) {
  const list = useId()
  const [hasFocus, setFocus] = useState(false)
  const { paths } = useKnownPaths(hasFocus ? value || '/' : null, scope)
  return (
    <>
      <TextField
        {...field}
        list={list}
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        dir="ltr"
        value={value}
        onFocus={() => setFocus(true)}
        onBlur={() => setFocus(false)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) event.preventDefault()
        }}
        onChange={({ target }) => onChange(target.value)}
      />
      <datalist id={list}>
        {paths.map(({ path }) => (
          <option key={path} value={path}>
            {path}
          </option>
        ))}
      </datalist>
    </>
  )
}
