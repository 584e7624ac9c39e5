import { queryOptions, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useId, useRef, type KeyboardEvent } from 'react'
import { compareNames } from '../../../shared/domain/sorting.ts'
import { childOf, parentOf, root, type Path } from '../../../shared/domain/path.ts'
import { t } from '../../i18n/translate.ts'
import { namesIn } from '../../operations/names-in.ts'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { FileName } from '../../ui/file-name.tsx'
import { FilePicture } from '../../ui/file-picture.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import styles from './prompts.module.css'

/**
 * The state of the folder picker: `at` is the listed folder, and `chosen` is the name of the chosen folder in it. When
 * `chosen` is null, the listed folder itself is chosen.
 */
export type FolderChoice = { readonly at: Path; readonly chosen: string | null }

type FolderPickerProps = {
  readonly label: string
  readonly choice: FolderChoice
  readonly onChoose: (choice: FolderChoice) => void
  /** Returns true for folders that cannot be the destination because they are among the entries to transfer. */
  readonly isExcluded: (folder: Path) => boolean
}

/**
 * The maximum time between the two clicks of a double click. The folder picker detects double clicks itself, because a
 * label passes only single clicks on to its input.
 */
const doubleClickMs = 400

/**
 * The query for the sorted names of a folder's subfolders. The result is stale immediately, because other users may
 * create and delete folders at any time.
 */
const childFoldersQuery = (folder: Path) =>
  queryOptions({
    queryKey: ['folder names', folder],
    queryFn: async () => {
      const names = await namesIn(folder)
      return [...names].flatMap(([name, { isFolder }]) => (isFolder ? name : [])).sort(compareNames)
    },
    staleTime: 0,
  })

/**
 * Renders a folder list in which the user chooses a folder. A click chooses a folder and another click clears the
 * choice. A double click or → opens the folder, and ← opens the parent folder.
 */
export function FolderPicker({ label, choice, onChoose, isExcluded }: FolderPickerProps) {
  const { at } = choice
  const goUp = (): void => onChoose({ at: parentOf(at), chosen: null })
  return (
    <fieldset key={at} className={styles.picker}>
      <legend className="visually-hidden">{label}</legend>
      {at !== root && (
        <button
          type="button"
          ref={takeLostFocus}
          className={styles.option}
          onClick={goUp}
          onKeyDown={onLeftKey(goUp)}
        >
          <Icon name="folder-up" />
          <span className={styles.optionName}>{t('action.parent-folder')}</span>
        </button>
      )}
      <ErrorBoundary resetKey={at} renderFallback={() => <ListingFailure folder={at} />}>
        <Suspense fallback={<Spinner />}>
          <FolderOptions choice={choice} onChoose={onChoose} isExcluded={isExcluded} />
        </Suspense>
      </ErrorBoundary>
    </fieldset>
  )
}

function FolderOptions({ choice: { at, chosen }, onChoose, isExcluded }: Omit<FolderPickerProps, 'label'>) {
  const group = useId()
  const chosenAtMs = useRef(0)
  const { data } = useSuspenseQuery(childFoldersQuery(at))
  const names = data.filter((name) => !isExcluded(childOf(at, name) ?? root))
  const goTo = (folder: Path): void => onChoose({ at: folder, chosen: null })
  const leave = (): void => goTo(at)
  const goUp = (): void => goTo(parentOf(at))
  if (names.length === 0) return <p className={styles.muted}>{t('prompt.transfer.none')}</p>
  return names.map((name) => {
    const enter = (): void => goTo(childOf(at, name) ?? at)
    return (
      <label key={name} className={styles.option}>
        <input
          type="radio"
          name={group}
          ref={takeLostFocus}
          className={styles.choice}
          checked={name === chosen}
          onChange={({ timeStamp }) => {
            chosenAtMs.current = timeStamp
            onChoose({ at, chosen: name })
          }}
          onClick={({ timeStamp }) => {
            if (name === chosen) (timeStamp - chosenAtMs.current < doubleClickMs ? enter : leave)()
          }}
          onKeyDown={(event) =>
            event.key === 'ArrowRight' ? runInstead(event, enter) : onLeftKey(goUp)(event)
          }
        />
        <FilePicture name={name} isFolder isLink={false} isBroken={false} type="" size={20} />
        <FileName name={name} />
      </label>
    )
  })
}

function ListingFailure({ folder }: { readonly folder: Path }) {
  useRetryOnNextVisit(folder)
  return <p className={styles.muted}>{t('failed.list')}</p>
}

/**
 * Evicts a failed query from the cache when the folder is no longer shown. A cached failure would be thrown again on
 * the next visit without a new request.
 */
function useRetryOnNextVisit(folder: Path): void {
  const queryClient = useQueryClient()
  useEffect(
    () => () => queryClient.removeQueries({ queryKey: childFoldersQuery(folder).queryKey, exact: true }),
    [queryClient, folder],
  )
}

/**
 * Moves the focus to an element when the focused element was removed from the page. Used as the `ref` of the first
 * element of each list.
 */
function takeLostFocus(element: HTMLElement | null): void {
  const { activeElement } = document
  if (activeElement === document.body || activeElement?.matches('[role="dialog"]')) element?.focus()
}

function runInstead(event: KeyboardEvent, run: () => void): void {
  event.preventDefault()
  run()
}

const onLeftKey =
  (goUp: () => void) =>
  (event: KeyboardEvent): void => {
    if (event.key === 'ArrowLeft' || event.key === 'Backspace') runInstead(event, goUp)
  }
