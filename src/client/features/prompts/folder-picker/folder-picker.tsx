import { useEffect, useState, type KeyboardEvent } from 'react'
import { FolderUp, RefreshCw } from 'lucide'
import { queryClient } from '../../../api/query-client.ts'
import { root, type Path } from '../../../../shared/domain/path.ts'
import { t } from '../../../i18n/translate.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorBoundary } from '../../../ui/error-boundary.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { QueryBoundary } from '../../../api/query-boundary.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { childFoldersQuery } from './child-folders.ts'
import { choiceAbove, type FolderPickerProps } from './folder-choice.ts'
import { FolderOptions, onBackKey, takeLostFocus } from './folder-options.tsx'
import { NewFolderField } from './new-folder-field.tsx'
import { QuickTargets } from './quick-targets.tsx'
import styles from './folder-picker.module.css'

/**
 * Renders a folder list in which the user chooses a folder. A click chooses a folder and another click clears the
 * choice. The arrow beside a folder, a double click or → opens the folder, and ← opens the parent folder. ↑ and ↓ move between the folders and the
 * button of the parent folder. Typed letters choose the next folder whose name starts with them. Buttons open recent and
 * pinned folders.
 */
export function FolderPicker(props: FolderPickerProps) {
  const { label, choice, onChoose, isExcluded, checkNewName } = props
  const { at } = choice
  const [attempt, setAttempt] = useState(0)
  const goUp = (): void => onChoose(choiceAbove(at))
  return (
    <>
      <QuickTargets at={at} isExcluded={isExcluded} onChoose={onChoose} />
      <fieldset key={at} className={styles.picker}>
        <legend className="visually-hidden">{label}</legend>
        {at !== root && (
          <button
            type="button"
            ref={takeLostFocus}
            className={styles.option}
            onClick={goUp}
            onKeyDown={(event) => {
              if (event.key === 'ArrowDown') chooseFirstOption(event)
              else onBackKey(goUp)(event)
            }}
          >
            <Icon icon={FolderUp} />
            <span className={styles.parent}>{t('action.parent-folder')}</span>
          </button>
        )}
        <ErrorBoundary
          resetKey={`${attempt} ${at}`}
          renderFallback={() => <ListingFailure folder={at} onRetry={() => setAttempt(attempt + 1)} />}
        >
          <QueryBoundary fallback={<Spinner />}>
            <FolderOptions {...props} />
          </QueryBoundary>
        </ErrorBoundary>
      </fieldset>
      {checkNewName && (
        <NewFolderField
          key={`new ${at}`}
          folder={at}
          check={checkNewName}
          onCreated={(name) => onChoose({ at, chosen: name, focused: name })}
        />
      )}
    </>
  )
}

/** Focuses and chooses the first folder of the list, when ↓ is pressed on the button above it. */
function chooseFirstOption(event: KeyboardEvent): void {
  event.preventDefault()
  const first = event.currentTarget.closest('fieldset')?.querySelector('input')
  first?.focus()
  first?.click()
}

function ListingFailure({ folder, onRetry }: { readonly folder: Path; readonly onRetry: () => void }) {
  useRetryOnNextVisit(folder)
  return (
    <div className={styles.message}>
      <p>{t('failed.list')}</p>
      <Button icon={RefreshCw} onClick={onRetry}>
        {t('buttons.retry')}
      </Button>
    </div>
  )
}

/**
 * Evicts a failed query from the cache when the failure is no longer shown. A cached failure would be thrown again
 * without a new request.
 */
function useRetryOnNextVisit(folder: Path): void {
  useEffect(
    () => () => queryClient.removeQueries({ queryKey: childFoldersQuery(folder).queryKey, exact: true }),
    [folder],
  )
}
