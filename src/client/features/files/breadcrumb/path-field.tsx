import { useId, useRef, useState, type FocusEvent, type FormEvent, type KeyboardEvent } from 'react'
import { Check } from 'lucide'
import { useQuery } from '../../../api/use-query.ts'
import { pathOf, root, type Path } from '../../../../shared/domain/path.ts'
import { callJson, statusOf } from '../../../api/call.ts'
import { t } from '../../../i18n/translate.ts'
import { reasonOf } from '../../../operations/reason.ts'
import { filesUrl, navigate } from '../../../router/router.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { suggestionsFor, typedPathOf } from './completions.ts'
import { subfoldersQuery } from './subfolders-query.ts'
import { Suggestions } from './suggestions.tsx'
import styles from './path-field.module.css'

type PathFieldProps = {
  readonly path: Path
  readonly isFolder: boolean
  /** Called when the user is finished. `keepsFocus` is false when the focus has already moved elsewhere. */
  readonly onClose: (close: { readonly keepsFocus: boolean }) => void
}

/**
 * Renders a field in which the user types a path. It suggests the folders that begin with the typed letters. Enter opens
 * the path, or takes over the chosen suggestion. Escape closes the field.
 */
export function PathField({ path, isFolder, onClose }: PathFieldProps) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(isFolder && path !== root ? `${path}/` : path)
  const [chosen, setChosen] = useState(-1)
  const [failure, setFailure] = useState<string | null>(null)
  const { base, names } = useSuggestions(text)

  const edit = (next: string): void => {
    setText(next)
    setChosen(-1)
    setFailure(null)
  }
  const take = (name: string): void => {
    edit(`${base}${name}/`)
    field.current?.focus()
  }
  const submit = async (): Promise<void> => {
    const name = names[chosen]
    if (name !== undefined) return take(name)
    const refusal = await openPath(text)
    if (refusal === null) onClose({ keepsFocus: true })
    else setFailure(refusal)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && names.length > 0) {
      event.preventDefault()
      setChosen(((chosen + step + 1 + names.length + 1) % (names.length + 1)) - 1)
    } else if (event.key === 'Tab' && !event.shiftKey && names[chosen] !== undefined) {
      event.preventDefault()
      take(names[chosen])
    } else if (event.key === 'Escape') onClose({ keepsFocus: true })
  }
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault()
    void submit()
  }
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent): void => {
    if (!currentTarget.contains(relatedTarget)) onClose({ keepsFocus: false })
  }

  return (
    <form className={styles.form} {...{ onSubmit, onBlur }}>
      <input
        ref={field}
        className={styles.input}
        dir="ltr"
        value={text}
        onChange={({ target }) => edit(target.value)}
        onKeyDown={onKeyDown}
        aria-label={t('path.label')}
        aria-autocomplete="list"
        aria-controls={`${id}-list`}
        aria-activedescendant={chosen === -1 ? undefined : `${id}-${chosen}`}
        aria-describedby={failure === null ? undefined : `${id}-note`}
        aria-invalid={failure !== null || undefined}
        {...combobox(names.length > 0)}
      />
      <IconButton icon={Check} label={t('path.go')} type="submit" className={styles.go} />
      {failure !== null && (
        <p className={styles.failure} id={`${id}-note`} role="alert">
          {failure}
        </p>
      )}
      {failure === null && <Suggestions id={id} names={names} chosen={chosen} onTake={take} />}
    </form>
  )
}

/** Attributes of the field while it is a combobox with an open or closed list. */
const combobox = (isExpanded: boolean) =>
  ({
    role: 'combobox',
    'aria-expanded': isExpanded,
    autoComplete: 'off',
    autoCapitalize: 'none',
    spellCheck: false,
    autoFocus: true,
    onFocus: ({ currentTarget }: FocusEvent<HTMLInputElement>) => currentTarget.select(),
  }) as const

/** Returns the names of the folders that begin with the last name of a typed path. */
function useSuggestions(text: string): { readonly base: string; readonly names: readonly string[] } {
  const { base, folder, prefix } = typedPathOf(text)
  const { data } = useQuery({ ...subfoldersQuery(folder ?? root), enabled: folder !== null })
  return { base, names: folder === null ? [] : suggestionsFor(data?.names ?? [], prefix) }
}

/**
 * Opens the file or folder with a typed path. Returns the reason why it cannot be opened, or null. The call for the
 * disk usage is used, because its response distinguishes folders from files without a listing.
 */
async function openPath(text: string): Promise<string | null> {
  const path = pathOf(text)
  if (path === null) return t('path.bad')
  try {
    const { total } = await callJson('usage.get', { path })
    navigate(filesUrl(path, total > 0))
    return null
  } catch (thrown) {
    return statusOf(thrown) === 404 ? t('path.missing') : reasonOf(thrown)
  }
}
