import { useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { useLocation } from '../../router/use-location.ts'
import { closeSearch, searchFieldProps, searchInput, searchText } from '../../state/search.ts'
import { useStore } from '../../state/store.ts'
import { classNames } from '../../ui/class-names.ts'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Icon } from '../../ui/icon.tsx'
import styles from './search-field.module.css'
import { lazyPart } from '../../state/parts/lazy-part.ts'

const { Part: Search } = lazyPart(async () => (await import('./search.tsx')).Search)

/**
 * Renders the search field. All other code of the search is loaded when the field gets the focus or when the address
 * contains a search. On phones, only a button is visible until the field has the focus or contains text.
 */
export function SearchField({ className }: { readonly className: string | undefined }) {
  const text = useStore(searchText)
  const { query } = useLocation()
  const [isLoaded, setLoaded] = useState(false)
  return (
    <search className={classNames(styles.search, text !== '' && styles.active, className)}>
      <IconButton
        icon="search"
        label={t('action.search')}
        className={styles.opener}
        onClick={() => searchInput()?.focus()}
      />
      <div className={styles.field}>
        <Icon name="search" className={styles.icon} />
        <input
          {...searchFieldProps}
          className={styles.input}
          value={text}
          placeholder={t('action.search.placeholder')}
          aria-label={t('action.search')}
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="search"
          onFocus={() => setLoaded(true)}
          onKeyDown={({ key, nativeEvent }) => {
            if (key === 'Escape' && !nativeEvent.isComposing) closeSearch()
          }}
          onChange={({ target }) => searchText.set(target.value)}
        />
        {(isLoaded || query.includes('q=')) && (
          <ErrorBoundary resetKey={query} renderFallback={() => null}>
            <Search />
          </ErrorBoundary>
        )}
      </div>
    </search>
  )
}
