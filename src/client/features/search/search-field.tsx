import { Search as SearchIcon } from 'lucide'
import { t } from '../../i18n/translate.ts'
import { closeSearch, searchFieldProps, searchInput, searchText } from '../../state/search-text.ts'
import { useStore } from '../../state/store.ts'
import { classNames } from '../../ui/class-names.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Slot } from '../../ui/slot.tsx'
import styles from './search-field.module.css'

/**
 * Renders the search field. All other code of the search follows the first rows. On phones, only a button is visible until the field has the focus or contains text.
 */
export function SearchField({ className }: { readonly className: string | undefined }) {
  const text = useStore(searchText)
  return (
    <search className={classNames(styles.search, text !== '' && styles.active, className)}>
      <IconButton
        icon={SearchIcon}
        label={t('action.search')}
        className={styles.opener}
        onClick={() => searchInput()?.focus()}
      />
      <div className={styles.field}>
        <Icon icon={SearchIcon} className={styles.icon} />
        <input
          {...searchFieldProps}
          className={styles.input}
          value={text}
          placeholder={t('action.search.placeholder')}
          aria-label={t('action.search')}
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="search"
          onKeyDown={({ key, nativeEvent }) => {
            if (key === 'Escape' && !nativeEvent.isComposing) closeSearch()
          }}
          onChange={({ target }) => searchText.set(target.value)}
        />
        <Slot name="search" className={styles.rest} />
      </div>
    </search>
  )
}
