import { useId, useState, type FocusEvent, type KeyboardEvent } from 'react'
import { Autocomplete } from 'react-aria-components/Autocomplete'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Input, SearchField } from 'react-aria-components/SearchField'
import { Check, Folder } from 'lucide'
import { useQuery } from '../../../api/use-query.ts'
import { pathOf, root, type Path } from '../../../../shared/domain/path.ts'
import { callJson, statusOf } from '../../../api/call.ts'
import { useLocale } from '../../../i18n/locale.ts'
import { t } from '../../../i18n/translate.ts'
import { reasonOf } from '../../../operations/reason.ts'
import { filesUrl, navigate } from '../../../router/router.ts'
import { subfoldersQuery } from '../../../subfolders/subfolders-query.ts'
import { focusFirst } from '../../../ui/dialog.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { chosenKeyOf, optionKeyOf } from '../../../ui/option-key.ts'
import { visibleName } from '../../../ui/visible-name.ts'
import { suggestionsFor, typedPathOf } from './completions.ts'
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
  const note = useId()
  const [text, setText] = useState(isFolder && path !== root ? `${path}/` : path)
  const [failure, setFailure] = useState<string | null>(null)
  const { base, names } = useSuggestions(text)
  const hasList = names.length > 0 && failure === null
  const edit = (next: string): void => {
    setText(next)
    setFailure(null)
  }
  const take = (name: string): void => edit(`${base}${name}/`)
  const submit = async (): Promise<void> => {
    const refusal = await openPath(text)
    if (refusal === null) onClose({ keepsFocus: true })
    else setFailure(refusal)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key, shiftKey, currentTarget, nativeEvent } = event
    if (nativeEvent.isComposing) return
    const chosenKey = chosenKeyOf(currentTarget)
    const chosen = names.find((name) => keyOf(name) === chosenKey)
    if (key === 'Escape') onClose({ keepsFocus: true })
    else if ((key === 'Enter' || (key === 'Tab' && !shiftKey)) && chosen !== undefined) {
      event.preventDefault()
      take(chosen)
    } else if (!ownKeys.includes(key)) return
    // The library would clear the field, or move to another suggestion instead of the cursor.
    event.stopPropagation()
  }
  const onBlur = ({ isTrusted, currentTarget, relatedTarget }: FocusEvent): void => {
    if (isTrusted && !currentTarget.contains(relatedTarget)) onClose({ keepsFocus: false })
  }
  // The library keeps the chosen key while the list changes, and another folder may have the same names.
  const keyOf = (name: string): string => optionKeyOf(`${base}${name}`)

  return (
    <I18nProvider locale={useLocale()}>
      <form
        className={styles.form}
        {...{ onBlur }}
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <Autocomplete inputValue={text} onInputChange={edit} disableAutoFocusFirst>
          <SearchField
            aria-label={t('path.label')}
            className={styles.field ?? ''}
            {...(failure !== null && { isInvalid: true, 'aria-describedby': note })}
          >
            <Input
              {...combobox}
              aria-expanded={hasList}
              className={styles.input ?? ''}
              onKeyDownCapture={onKeyDown}
            />
          </SearchField>
          {hasList && (
            <ListBox
              aria-label={t('path.suggestions')}
              className={styles.list ?? ''}
              items={names.map((name) => ({ name }))}
              shouldFocusWrap
            >
              {({ name }) => (
                <ListBoxItem
                  id={keyOf(name)}
                  textValue={visibleName(name)}
                  className={styles.option ?? ''}
                  onAction={() => take(name)}
                >
                  <Icon icon={Folder} size={16} />
                  <bdi className={styles.name}>{visibleName(name)}</bdi>
                </ListBoxItem>
              )}
            </ListBox>
          )}
        </Autocomplete>
        <IconButton icon={Check} label={t('path.go')} type="submit" className={styles.go} />
        {failure !== null && (
          <p className={styles.failure} id={note} role="alert">
            {failure}
          </p>
        )}
      </form>
    </I18nProvider>
  )
}

/** The keys that the field keeps. Enter submits the form, and the others move the cursor. */
const ownKeys: readonly string[] = ['Enter', 'Home', 'End']

/**
 * Attributes of the field. The library adds the id of the list. It also sends events of its own when it marks a suggestion, as if
 * the focus moved, which are no trusted events of the browser.
 */
const combobox = {
  ref: focusFirst,
  role: 'combobox',
  'aria-haspopup': 'listbox',
  dir: 'ltr',
  autoCapitalize: 'none',
  onFocus: ({ isTrusted, currentTarget }: FocusEvent<HTMLInputElement>) =>
    isTrusted && currentTarget.select(),
} as const

/** Returns the names of the folders that begin with the last name of a typed path. */
function useSuggestions(text: string): { readonly base: string; readonly names: readonly string[] } {
  const { base, folder, prefix } = typedPathOf(text)
  const { data } = useQuery({ ...subfoldersQuery(folder ?? root, 'breadcrumb'), enabled: folder !== null })
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
